// `watchdata account show EMAIL`: prints everything about an account except secrets.
import { type Account, listPlanChanges } from '../../access/accounts/accounts.ts'
import { findWaiting } from '../../access/billing/operator-billing.ts'
import { listKeys } from '../../access/keys/keys.ts'
import { dailyLimit, plans } from '../../access/plans/plans.ts'
import { readUsage } from '../../access/plans/usage.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Reader } from '../../storage/database.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { withAccount } from './account-lookup.ts'
import { keyTable } from './key.ts'

type Shown = Awaited<ReturnType<typeof gather>>

export async function showCommand(email: string, { json }: CommonOptions): Promise<void> {
  const shown = await withAccount(email, ({ database, config, account }) =>
    gather(database.reader, config, account),
  )
  if (json) printJson(shown)
  else print([summary(shown), keys(shown), history(shown)].join('\n\n'))
}

async function gather(reader: Reader, config: Config, account: Account) {
  const [today] = await readUsage(reader, account.id, systemClock.now().toISOString().slice(0, 10), 1)
  return {
    account,
    today: { used: today?.used ?? 0, limit: dailyLimit(account.plan, config.planLimits) },
    plan_request: (await findWaiting(reader, account.id)) ?? null,
    keys: await listKeys(reader, systemClock, account.id),
    plan_changes: await listPlanChanges(reader, account.id),
  }
}

function summary({ account, today, plan_request }: Shown): string {
  const { id, email, name, plan, role, status, created_at } = account
  const rows = [
    ['Email', email],
    ['Name', name],
    ['Account', id],
    ['Plan', plans[plan].name],
    ['Role', role],
    ['Status', status],
    ['Created', created_at],
    ['Today', `${today.used} of ${today.limit} requests`],
  ]
  if (plan_request !== null) {
    rows.push(['Requested', `${plans[plan_request.plan].name}, since ${plan_request.asked_at}`])
  }
  return table(rows)
}

function keys({ keys }: Shown): string {
  return keys.length === 0 ? 'No keys.' : keyTable(keys)
}

function history({ plan_changes }: Shown): string {
  const rows = plan_changes.map(({ changed_at, old_plan, new_plan, changed_by }) => [
    changed_at,
    old_plan === null ? new_plan : `${old_plan} → ${new_plan}`,
    changed_by,
  ])
  return table([['changed', 'plan', 'by'], ...rows])
}
