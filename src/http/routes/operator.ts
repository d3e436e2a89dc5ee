// Serves /api/operator: decisions on plan requests. Users that are not operators get 404.
import type { FastifyInstance } from 'fastify'
import type { WaitingPlanRequest } from '../../../web/account-api.ts'
import { listWaiting } from '../../access/billing/operator-billing.ts'
import type { OperatorDecisions } from '../../access/billing/operator-decisions.ts'
import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { watchMethods } from '../pages/methods.ts'
import { askForSession, type SessionParts, who } from '../pages/signed-in.ts'

export interface OperatorParts extends SessionParts {
  readonly database: Database
  readonly decisions: Pick<OperatorDecisions, 'grant' | 'decline'>
}

type PlanRequestRoute = { Params: { id: string } }
const listedMax = 200
/** Checked first, because PostgreSQL fails on a text with a NUL character. */
const idShape = /^[\da-f-]{36}$/

/** Register these after the account routes, which decorate the request with `signedIn`. */
export function operatorRoutes(app: FastifyInstance, parts: OperatorParts): void {
  const { database, decisions } = parts
  app.register(
    async (operator) => {
      askForSession(operator, parts)
      operator.addHook('onRequest', async (request) => {
        if (who(request).role !== 'operator') throw new Problem('not_found')
      })
      const refuseOtherMethods = watchMethods(operator)
      operator.get('/plan-requests', async () => {
        const data: WaitingPlanRequest[] = await listWaiting(database.reader, listedMax)
        return { data }
      })
      for (const decision of ['grant', 'decline'] as const) {
        operator.post<PlanRequestRoute>(`/plan-requests/:id/${decision}`, async (request, reply) => {
          const { id } = request.params
          const isDecided = idShape.test(id) && (await decisions[decision](id, who(request).email))
          if (!isDecided) throw new Problem('not_found')
          return reply.code(204).send()
        })
      }
      refuseOtherMethods()
    },
    { prefix: '/api/operator' },
  )
}
