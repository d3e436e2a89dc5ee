// Decides how long a new account is shown the next steps.

interface Standing {
  readonly hasCalled: boolean
  readonly hasWebhook: boolean
  /** The age of the account. */
  readonly ageMs: number
}

const newMs = 7 * 86_400_000

/** The first call stays a next step forever. A webhook only for a week: after that the user probably wants none. */
export function areStepsLeft({ hasCalled, hasWebhook, ageMs }: Standing): boolean {
  return !hasCalled || (!hasWebhook && ageMs < newMs)
}
