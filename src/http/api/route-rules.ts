// The table of route rules under /api/v1: the grant that the caller's plan needs, whether and when the request is
// charged, and whether the response has an ETag, which is compared before the charge.
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Grant } from '../../access/plans/plans.ts'

export interface RouteRule {
  /** The grant that the caller's plan must have. */
  readonly grant: Grant
  /** The request is not charged. */
  readonly isFree?: true
  /** The response has an ETag: a request with If-None-Match is charged only if it does not end in 304. */
  readonly isConditional?: true
  /** The route charges the request itself, once it knows that it can respond. */
  readonly isChargedLate?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    rule?: RouteRule
    /** Set on the routes that respond 405 with the methods that the path allows. */
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
 * Attaches its rule to every route registered in the scope. A route without a rule fails startup. The returned
 * function, called after the last route, fails startup for a rule without a route.
 */
export function watchRules(api: FastifyInstance): () => void {
  const missing = new Set(Object.keys(routeRules))
  api.addHook('onRoute', (route) => {
    if (route.config?.isRefusal) return
    for (const method of [route.method].flat()) {
      const name = `${method === 'HEAD' ? 'GET' : method} ${route.routePath}`
      const rule = routeRules[name]
      assert(rule !== undefined, `${name} has no entry in routeRules`)
      missing.delete(name)
      route.config = { ...route.config, rule }
    }
  })
  return () => assert.deepEqual([...missing], [], 'entries of routeRules without a route')
}
