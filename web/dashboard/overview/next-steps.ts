// In charge of how long a new account is told what it may do next.

interface Standing {
  readonly hasCalled: boolean
  readonly hasWebhook: boolean
  /** Of the account. */
  readonly ageMs: number
}

const newMs = 7 * 86_400_000

/** The first call is waited for however long that takes; who has made it and goes on without webhooks wants none. */
export function areStepsLeft({ hasCalled, hasWebhook, ageMs }: Standing): boolean {
  return !hasCalled || (!hasWebhook && ageMs < newMs)
}
