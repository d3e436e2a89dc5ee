// In charge of what each route of /api/v1 asks of its caller, as one table: the grant that the plan must have, whether
// it is charged, and whether the answer has a validator, which is compared before the charge.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Grant } from '../../access/plans/plans.ts'

export interface RouteRule {
  readonly grant: Grant
  readonly isFree?: true
  readonly isConditional?: true
  /** The route charges by itself, once it knows that it can answer. */
  readonly isChargedLate?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rule?: RouteRule
    /** Of a route that only says which methods its path has. */
    isRefusal?: true
  }
}

const catalogue = { grant: 'catalogue', isConditional: true } as const

export const routeRules: Readonly<Record<string, RouteRule>> = {
  'GET /watches': catalogue,
  'GET /watches/:id': catalogue,
  'GET /watches/:id/prices': { grant: 'prices', isConditional: true },
  'GET /brands': catalogue,
  'GET /brands/:brand': catalogue,
  'GET /brands/:brand/watches': catalogue,
  'GET /specs': catalogue,
  'GET /specs/:key': catalogue,
  'GET /usage': { grant: 'account', isFree: true },
  'GET /changes': { grant: 'changes', isConditional: true },
  'GET /export': { grant: 'export', isConditional: true, isChargedLate: true },
  'GET /webhooks': { grant: 'webhooks' },
  'POST /webhooks': { grant: 'webhooks' },
  'GET /webhooks/:id': { grant: 'webhooks' },
  'PATCH /webhooks/:id': { grant: 'webhooks' },
  'DELETE /webhooks/:id': { grant: 'webhooks' },
  'POST /webhooks/:id/test': { grant: 'webhooks' },
  'POST /webhooks/:id/rotate-secret': { grant: 'webhooks' },
  'POST /webhooks/:id/redeliver': { grant: 'webhooks' },
  'GET /webhooks/:id/deliveries': { grant: 'webhooks' },
  'GET /webhooks/:id/deliveries/:delivery': { grant: 'webhooks' },
  'POST /webhooks/:id/deliveries/:delivery/redeliver': { grant: 'webhooks' },
}

/**
 * Gives every route that is made in the scope its rule; one without a rule fails the start, and so does, once the function
 * that is returned is called, a rule without a route.
 */
export function watchRules(api: FastifyInstance): () => void {
  const missing = new Set(Object.keys(routeRules))
  api.addHook('onRoute', (route) => {
    if (route.config?.isRefusal) return
    for (const method of [route.method].flat()) {
      const name = `${method === 'HEAD' ? 'GET' : method} ${route.routePath}`
      const rule = routeRules[name]
      assert(rule !== undefined, `${name} has no line in the table of route rules`)
      missing.delete(name)
      route.config = { ...route.config, rule }
    }
  })
  return () => assert.deepEqual([...missing], [], 'every line of the table of route rules has a route')
}
