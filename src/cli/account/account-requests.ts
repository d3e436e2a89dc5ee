// `watchdata account requests` and `decline`: lists the plan requests of customers, and declines one. `set-plan` grants
// a request.
import { declinePlan, listWaiting } from '../../access/billing/operator-billing.ts'
import { plans } from '../../access/plans/plans.ts'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table, tell } from '../output.ts'
import { operatorName, withAccount } from './account-lookup.ts'

/** The oldest requests are printed first; more appear once these are decided. */
const listMax = 1_000

export async function requestsCommand({ json }: CommonOptions): Promise<void> {
  const requests = await withCurrentDatabase(({ reader }) => listWaiting(reader, listMax))
  if (json) printJson(requests)
  else if (requests.length === 0) tell('There are no open plan requests.')
  else {
    const cells = requests.map((one) => [one.asked_at, one.email, one.plan, one.asked_plan, one.name])
    print(table([['requested at', 'email', 'plan', 'requested', 'name'], ...cells]))
    tell('\n`watchdata account set-plan EMAIL PLAN` grants, `watchdata account decline EMAIL` declines.')
  }
}

export async function declineCommand(email: string, { json }: CommonOptions): Promise<void> {
  await withAccount(email, async ({ database, account }) => {
    const request = await database.write((tx) => declinePlan(tx, systemClock, account.id, operatorName()))
    if (request === undefined) throw new Failure(`${account.email} has no open plan request.`)
    if (json) printJson({ account, plan_request: request })
    else print(`Declined: ${account.email} stays on the ${plans[account.plan].name} plan.`)
  })
}
