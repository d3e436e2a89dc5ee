// Calls the API with the axios client of hey-api.
import type { Connect } from './calls.ts'
import { client } from './generated/hey-api-axios/client.gen.ts'
import * as sdk from './generated/hey-api-axios/index.ts'

export const connect: Connect = (baseUrl, key) => {
  client.setConfig({ baseURL: `${baseUrl}/api/v1`, auth: key })
  const sure = { throwOnError: true } as const
  const watches = async (query: NonNullable<sdk.ListWatchesData['query']>) =>
    (await sdk.listWatches({ query, ...sure })).data
  const at = (id: number) => ({ path: { id }, ...sure })
  return {
    list: () => watches({}),
    filter: () => watches({ spec: { dial_color: 'Black' } }),
    range: () => watches({ spec: { 'water_resistance:gte': '100 m', 'case_diameter:lt': 42 }, per_page: 10 }),
    values: () => watches({ spec: { 'dial_color:any': 'Black,Blue' } }),
    prices: () =>
      watches({ 'retail_price_usd:gte': 5000, 'retail_price_usd:lt': 10000, sort: '-retail_price_usd' }),
    ids: () => watches({ ids: [1, 2, 3] }),
    fields: (): Promise<sdk.PickedWatchList> => watches({ fields: ['id', 'specs.dial_color'] }),
    facets: () => watches({ facets: ['dial_color', 'brand'], brand: 'Omega', explain: true }),
    changes: async () =>
      (await sdk.listChanges({ query: { types: ['watch.created', 'brand.created'], limit: 20 }, ...sure }))
        .data,
    resolve: async () => (await sdk.resolve({ body: { texts: ['Rolex 116610LV'] }, ...sure })).data,
    // On Node, axios gives a Blob with its fetch adapter only.
    exported: async () => (await sdk.exportWatches({ ...sure, adapter: 'fetch' })).data.text(),
    refusal: async () => {
      const { error } = await sdk.listBrands({ query: { page: 0 } })
      if (error === undefined || !('errors' in error) || error.errors === undefined)
        throw new Error('no errors')
      return { message: error.message, errors: error.errors }
    },
    webhooks: {
      create: async (endpoint_url, once) => {
        const headers = { 'Idempotency-Key': once }
        return (
          await sdk.createWebhook({ body: { endpoint_url, events: ['watch.created'] }, headers, ...sure })
        ).data
      },
      list: async () => (await sdk.listWebhooks(sure)).data,
      get: async (id) => (await sdk.getWebhook(at(id))).data,
      pause: async (id) => (await sdk.changeWebhook({ ...at(id), body: { status: 'paused' } })).data,
      test: async (id) => (await sdk.testWebhook(at(id))).data,
      rotateSecret: async (id) => (await sdk.rotateWebhookSecret(at(id))).data,
      delete: async (id) => (await sdk.deleteWebhook(at(id))).status,
    },
  }
}

type Spec = NonNullable<NonNullable<sdk.ListWatchesData['query']>['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
