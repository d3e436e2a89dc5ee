// Serves /api/account/plans, the available plans, and /api/account/plan-request(s), the signed-in user's requests for
// a plan.
import type { FastifyInstance } from 'fastify'
import type { PlanOffer, PlanRequest } from '../../../../web/account-api.ts'
import type { PlanRequest as AskedPlan, Billing } from '../../../access/billing/billing.ts'
import { dailyLimit, type Plan, type PlanName, planNames, plans } from '../../../access/plans/plans.ts'
import type { Config } from '../../../config.ts'
import { Problem } from '../../../errors.ts'
import { who } from '../../pages/signed-in.ts'
import { fieldsOf } from '../../queries/json-body.ts'

export interface PlanParts {
  readonly config: Config
  readonly billing: Billing
}

const listedMax = 10

export function accountPlanRoutes(account: FastifyInstance, { config, billing }: PlanParts): void {
  const data = planNames.map((name) => offer(name, config))
  account.get('/plans', async () => ({ data }))
  account.get('/plan-requests', async (request) => ({
    data: (await billing.list(who(request).accountId, listedMax)).map(tell),
  }))
  account.get('/plan-request', async (request) => {
    const waiting = await billing.findWaiting(who(request).accountId)
    return { data: waiting === undefined ? null : tell(waiting) }
  })
  account.post('/plan-request', async (request, reply) => {
    const asked = await billing.askForPlan(who(request).accountId, parsePlan(fieldsOf(request, 'plan').plan))
    return reply.code(201).send({ data: asked.status === 'pending' ? tell(asked.request) : asked })
  })
  account.delete('/plan-request', async (request, reply) => {
    if (!(await billing.withdraw(who(request).accountId))) throw new Problem('not_found')
    return reply.code(204).send()
  })
}

function offer(id: PlanName, { planLimits }: Config): PlanOffer {
  const plan: Plan = plans[id]
  const { priceHistoryDays = null } = plan
  return { id, ...plan, requestsPerDay: dailyLimit(id, planLimits), priceHistoryDays }
}

/** Leaves out who decided: only operators see that. */
function tell({ id, plan, status, asked_at, decided_at }: AskedPlan): PlanRequest {
  return { id, plan, status, asked_at, decided_at }
}

function parsePlan(value: unknown): PlanName {
  const plan = planNames.find((name) => name === value)
  if (plan !== undefined) return plan
  throw new Problem('invalid', { errors: { plan: [`The plan must be one of ${planNames.join(', ')}.`] } })
}
