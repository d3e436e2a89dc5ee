// Calls the API with orval's axios client, which uses the defaults of axios.
import axios, { AxiosError } from 'axios'
import type { Connect } from './calls.ts'
import * as client from './generated/orval-axios/client.ts'

export const connect: Connect = (baseUrl, key) => {
  const asked = { baseURL: `${baseUrl}/api/v1`, headers: { Authorization: `Bearer ${key}` } }
  const watches = async (params: client.ListWatchesParams) => (await client.listWatches(params, asked)).data
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
      (await client.listChanges({ types: ['watch.created', 'brand.created'], limit: 20 }, asked)).data,
    resolve: async () => (await client.resolve({ texts: ['Rolex 116610LV'] }, asked)).data,
    // The only setting that this client needs: on Node, axios gives a Blob with its fetch adapter only.
    exported: async () => (await client.exportWatches({ ...asked, adapter: 'fetch' })).data.text(),
    refusal: async () => {
      const error: unknown = await client.listBrands({ page: 0 }, asked).catch((thrown: unknown) => thrown)
      if (!axios.isAxiosError<client.InvalidProblem>(error)) throw new AxiosError('not refused')
      if (error.response === undefined) throw error
      return error.response.data
    },
    webhooks: {
      create: async (endpoint_url, once) => {
        const options = { ...asked, headers: { ...asked.headers, 'Idempotency-Key': once } }
        return (await client.createWebhook({ endpoint_url, events: ['watch.created'] }, options)).data
      },
      list: async () => (await client.listWebhooks(asked)).data,
      get: async (id) => (await client.getWebhook(id, asked)).data,
      pause: async (id) => (await client.changeWebhook(id, { status: 'paused' }, asked)).data,
      test: async (id) => (await client.testWebhook(id, asked)).data,
      rotateSecret: async (id) => (await client.rotateWebhookSecret(id, asked)).data,
      delete: async (id) => (await client.deleteWebhook(id, asked)).status,
    },
  }
}

type Spec = NonNullable<client.ListWatchesParams['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
