// Calls the API with kubb's client, which uses axios by default.
import { axiosInstance, setConfig } from '@kubb/plugin-client/clients/axios'
import { isAxiosError } from 'axios'
import type { Connect } from './calls.ts'
import * as client from './generated/kubb-axios/index.ts'

export const connect: Connect = (baseUrl, key) => {
  setConfig({ baseURL: `${baseUrl}/api/v1`, headers: { Authorization: `Bearer ${key}` } })
  // On Node, axios gives a Blob with its fetch adapter only.
  axiosInstance.defaults.adapter = 'fetch'
  const watches = (params: client.ListWatchesQueryParams) => client.listWatches(params)
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
    changes: () => client.listChanges({ types: ['watch.created', 'brand.created'], limit: 20 }),
    resolve: () => client.resolve({ texts: ['Rolex 116610LV'] }),
    // By default, axios would try to parse what it gets.
    exported: async () => (await client.exportWatches({}, { responseType: 'blob' })).text(),
    refusal: async () => {
      const error: unknown = await client.listBrands({ page: 0 }).catch((thrown: unknown) => thrown)
      if (!isAxiosError<client.ListBrands422>(error) || error.response === undefined) throw error
      return error.response.data
    },
    webhooks: {
      create: (endpoint_url, once) =>
        client.createWebhook({ endpoint_url, events: ['watch.created'] }, { 'Idempotency-Key': once }),
      list: () => client.listWebhooks(),
      get: (id) => client.getWebhook(id),
      pause: (id) => client.changeWebhook(id, { status: 'paused' }),
      test: (id) => client.testWebhook(id),
      rotateSecret: (id) => client.rotateWebhookSecret(id),
      delete: async (id) => {
        let status = 0
        const watching = axiosInstance.interceptors.response.use((response) => {
          status = response.status
          return response
        })
        await client.deleteWebhook(id)
        axiosInstance.interceptors.response.eject(watching)
        return status
      },
    },
  }
}

type Spec = NonNullable<client.ListWatchesQueryParams['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
