// Calls the API with orval's fetch client. It has no setting for the key: each call takes the headers.
import type { Connect } from './calls.ts'
import * as client from './generated/orval-fetch/client.ts'

export const connect: Connect = (_baseUrl, key) => {
  const headers = { Authorization: `Bearer ${key}` }
  const asked = { headers }
  const watches = async (params: client.ListWatchesParams) =>
    had(await client.listWatches(params, asked), 200)
  return {
    list: () => watches({}),
    filter: () => watches({ spec: { dial_color: 'Black' } }),
    range: () => watches({ spec: { 'water_resistance:gte': '100 m', 'case_diameter:lt': 42 }, per_page: 10 }),
    values: () => watches({ spec: { 'dial_color:any': 'Black,Blue' } }),
    prices: () =>
      watches({ 'retail_price_usd:gte': 5000, 'retail_price_usd:lt': 10000, sort: '-retail_price_usd' }),
    ids: () => watches({ ids: [1, 2, 3] }),
    fields: (): Promise<client.PickedWatchList> => watches({ fields: ['id', 'specs.dial_color'] }),
    facets: () => watches({ facets: ['dial_color', 'brand'], brand: 'Omega', explain: true }),
    changes: async () =>
      had(await client.listChanges({ types: ['watch.created', 'brand.created'], limit: 20 }, asked), 200),
    resolve: async () => had(await client.resolve({ texts: ['Rolex 116610LV'] }, asked), 200),
    exported: async () => {
      const response = await client.exportWatches(asked)
      if (response.status !== 200) throw new Error(String(response.status))
      return response.stream.text()
    },
    refusal: async () => had(await client.listBrands({ page: 0 }, asked), 422),
    webhooks: {
      create: async (endpoint_url, once) => {
        const options = { headers: { ...headers, 'Idempotency-Key': once } }
        return had(await client.createWebhook({ endpoint_url, events: ['watch.created'] }, options), 201)
      },
      list: async () => had(await client.listWebhooks(asked), 200),
      get: async (id) => had(await client.getWebhook(id, asked), 200),
      pause: async (id) => had(await client.changeWebhook(id, { status: 'paused' }, asked), 200),
      test: async (id) => had(await client.testWebhook(id, asked), 202),
      rotateSecret: async (id) => had(await client.rotateWebhookSecret(id, asked), 200),
      delete: async (id) => (await client.deleteWebhook(id, asked)).status,
    },
  }
}

interface Answered {
  readonly data: unknown
  readonly status: number
}

/** The data that a response has with this status, by its type. */
function had<T extends Answered, Status extends T['status']>(
  response: T,
  status: Status,
): Extract<T, { status: Status }>['data'] {
  if (response.status !== status) throw new Error(JSON.stringify(response.data))
  return response.data
}

type Spec = NonNullable<client.ListWatchesParams['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
