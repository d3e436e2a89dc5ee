// Judges the quotas of a row: no account gets more requests than its limit, and no value of X-RateLimit-Remaining is
// returned twice.
import type { Answer, LoadAccount } from './recording-client.ts'

export interface QuotaFigures {
  readonly overQuota: number
  /** What was left of the quotas when requests were refused: granted, but the response was lost. */
  readonly unspent: number
  /** Accounts that got too much, with the values of Remaining that they got twice. */
  readonly quotaFindings: readonly string[]
}

const dayMs = 86_400_000
const granted: ReadonlySet<number> = new Set([200, 404])
const repeatsShown = 6

/** Times in the findings are from `struckMs` on, when the fault began. */
export function judgeQuotas(
  accounts: readonly LoadAccount[],
  answers: readonly Answer[],
  struckMs: number,
): QuotaFigures {
  let [overQuota, unspent] = [0, 0]
  const quotaFindings: string[] = []
  // A row that runs past midnight UTC has the quota of two days.
  const days = countDays(answers)
  for (const [account, { limit }] of accounts.entries()) {
    const mine = answers.filter((one) => one.account === account)
    const passed = mine.filter(({ status }) => granted.has(status))
    const over = Math.max(0, passed.length - limit * days)
    overQuota += over
    if (over > 0)
      quotaFindings.push(
        `account ${account} got ${passed.length} of ${limit}${describeRepeats(passed, struckMs)}`,
      )
    if (mine.some(({ status }) => status === 429)) unspent += Math.max(0, limit * days - passed.length)
  }
  return { overQuota, unspent, quotaFindings }
}

function describeRepeats(passed: readonly Answer[], struckMs: number): string {
  const seconds = ({ startedMs }: Answer) => `${((startedMs - struckMs) / 1_000).toFixed(2)} s`
  return [...Map.groupBy(passed, ({ remaining }) => remaining)]
    .filter(([, same]) => same.length > 1)
    .slice(0, repeatsShown)
    .map(([remaining, same]) => `; ${remaining} left at ${same.map(seconds).join(' and ')}`)
    .join('')
}

function countDays(answers: readonly Answer[]): number {
  const dayOf = (ms = 0) => Math.floor((performance.timeOrigin + ms) / dayMs)
  return dayOf(answers.at(-1)?.endedMs) - dayOf(answers[0]?.startedMs) + 1
}
