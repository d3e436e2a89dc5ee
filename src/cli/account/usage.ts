// `watchdata usage EMAIL`: prints the requests of an account in the last 30 days, and the daily quota of its plan.
import { dailyLimit, plans } from '../../access/plans/plans.ts'
import { type DayOfUse, readUsage } from '../../access/plans/usage.ts'
import { systemClock } from '../../clock.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { withAccount } from './account-lookup.ts'

const barMaxLength = 40

export async function usageCommand(email: string, { json }: CommonOptions): Promise<void> {
  await withAccount(email, async ({ database, config, account }) => {
    const today = systemClock.now().toISOString().slice(0, 10)
    const days = await readUsage(database.reader, account.id, today)
    const limit = dailyLimit(account.plan, config.planLimits)
    const used = days.at(-1)?.used ?? 0
    const remaining = Math.max(0, limit - used)
    if (json) printJson({ email: account.email, plan: account.plan, limit, used, remaining, days })
    else {
      const { name } = plans[account.plan]
      print(`${account.email}, ${name}: ${used} of ${limit} requests today, ${remaining} left.\n`)
      print(dayTable(days))
    }
  })
}

/** Bars are scaled to the busiest day. */
function dayTable(days: readonly DayOfUse[]): string {
  const most = Math.max(1, ...days.map(({ used }) => used))
  const width = String(most).length
  const rows = days.map(({ date, used }) => [
    date,
    String(used).padStart(width),
    '█'.repeat(Math.ceil((used / most) * barMaxLength)),
  ])
  return table(rows)
}
