// The table of operations under /api/v1: the grant that the caller's plan needs, what a request costs, and the function
// that answers it.
import type { Grant } from '../../access/plans/plans.ts'
import { pagingNames } from '../../search/query/paging.ts'
import { searchNames, watchNames } from '../../search/query/parse-query.ts'
import { suggestNames } from '../../search/query/suggest-query.ts'
import { changesNames } from '../queries/changes-query.ts'
import { dayRangeNames } from '../queries/day-range.ts'
import { deliveriesNames } from '../queries/deliveries-query.ts'
import { strictName } from '../queries/unknown-parameters.ts'
import type { Headers } from '../responses/prepared.ts'
import { getBrand, listBrands, listBrandWatches } from './brands.ts'
import type { ApiParts, Call, Reply } from './call.ts'
import { listChanges } from './changes.ts'
import { exportWatches } from './export.ts'
import { getPriceHistory } from './prices.ts'
import { resolveTexts } from './resolve.ts'
import { getSpec, listSpecs } from './specs.ts'
import { suggestTexts } from './suggest.ts'
import { getUsage } from './usage.ts'
import { getWatch, listWatches } from './watches.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverDelivery,
  redeliverFailures,
  sendTestEvent,
} from './webhook-deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from './webhooks.ts'

/**
 * What a request costs: nothing; one, charged before any work is done; one unless it ends in 304, charged once the
 * ETags are compared; one when it is sent, charged once the operation has reserved what it needs; or as many as the body
 * asks for, charged once it is read.
 */
type Cost = 'free' | 'one' | 'one unless 304' | 'one when sent' | 'by body'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below /api/v1, with `:name` for parameters. */
  readonly path: string
  readonly grant: Grant
  readonly cost: Cost
  /** The response depends on nothing but the URL and the catalogue: it is cached until the catalogue changes. */
  readonly isCached?: true
  /** The names of its query parameters. */
  readonly query?: readonly string[]
  /** Headers of every response to an admitted request, errors included. */
  readonly headers?: Headers
  readonly handle: (call: Call, parts: ApiParts) => Reply | Promise<Reply>
}

const GET = 'GET'
const catalogue = { grant: 'catalogue', cost: 'one unless 304', isCached: true } as const
/** The responses may contain a secret, and describe the current state. */
const headers = { 'cache-control': 'private, no-store' } as const
const webhooks = { grant: 'webhooks', cost: 'one', headers } as const

export const webhookOperations: readonly Operation[] = [
  { method: GET, path: '/webhooks', ...webhooks, handle: listWebhooks },
  { method: 'POST', path: '/webhooks', ...webhooks, handle: createWebhook },
  { method: GET, path: '/webhooks/:id', ...webhooks, handle: getWebhook },
  { method: 'PATCH', path: '/webhooks/:id', ...webhooks, handle: changeWebhook },
  { method: 'DELETE', path: '/webhooks/:id', ...webhooks, handle: deleteWebhook },
  { method: 'POST', path: '/webhooks/:id/test', ...webhooks, handle: sendTestEvent },
  { method: 'POST', path: '/webhooks/:id/rotate-secret', ...webhooks, handle: rotateWebhookSecret },
  { method: 'POST', path: '/webhooks/:id/redeliver', ...webhooks, handle: redeliverFailures },
  {
    method: GET,
    path: '/webhooks/:id/deliveries',
    ...webhooks,
    query: [...deliveriesNames, strictName],
    handle: listWebhookDeliveries,
  },
  { method: GET, path: '/webhooks/:id/deliveries/:delivery', ...webhooks, handle: getWebhookDelivery },
  {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery/redeliver',
    ...webhooks,
    handle: redeliverDelivery,
  },
]

export const operations: readonly Operation[] = [
  { method: GET, path: '/watches', ...catalogue, query: watchNames, handle: listWatches },
  { method: GET, path: '/watches/:id', ...catalogue, handle: getWatch },
  {
    method: GET,
    path: '/watches/:id/prices',
    grant: 'prices',
    cost: 'one unless 304',
    query: [...dayRangeNames, strictName],
    handle: getPriceHistory,
  },
  { method: GET, path: '/brands', ...catalogue, query: [...searchNames, strictName], handle: listBrands },
  { method: GET, path: '/brands/:brand', ...catalogue, handle: getBrand },
  { method: GET, path: '/brands/:brand/watches', ...catalogue, query: watchNames, handle: listBrandWatches },
  { method: GET, path: '/specs', ...catalogue, handle: listSpecs },
  { method: GET, path: '/specs/:key', ...catalogue, query: [...pagingNames, strictName], handle: getSpec },
  { method: GET, path: '/suggest', ...catalogue, query: [...suggestNames, strictName], handle: suggestTexts },
  { method: 'POST', path: '/resolve', grant: 'catalogue', cost: 'by body', handle: resolveTexts },
  { method: GET, path: '/usage', grant: 'account', cost: 'free', headers, handle: getUsage },
  {
    method: GET,
    path: '/changes',
    grant: 'changes',
    cost: 'one unless 304',
    query: [...changesNames, strictName],
    handle: listChanges,
  },
  { method: GET, path: '/export', grant: 'export', cost: 'one when sent', handle: exportWatches },
  ...webhookOperations,
]

/** Finds the operation by method and path, as in the table. */
export function findOperation(method: string, path: string): Operation | undefined {
  return operations.find((one) => one.method === method && one.path === path)
}
