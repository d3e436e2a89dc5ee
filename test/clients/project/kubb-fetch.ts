// Calls the API with kubb's fetch client. It writes any object as `[object Object]`, so filters of specs are passed as
// `params`, by their names in a URL.
import { type RequestConfig, setConfig } from '@kubb/plugin-client/clients/fetch'
import type { Connect } from './calls.ts'
import * as client from './generated/kubb-fetch/index.ts'

export const connect: Connect = (baseUrl, key) => {
  const headers = { Authorization: `Bearer ${key}` }
  // Its default for a JSON body is no Content-Type, which fetch sends as text/plain.
  setConfig({ baseURL: `${baseUrl}/api/v1`, headers: { ...headers, 'Content-Type': 'application/json' } })
  const watches = (params: client.ListWatchesQueryParams) => client.listWatches(params)
  const filtered = (params: Record<`spec[${string}]`, string | number> & { per_page?: number }) =>
    client.listWatches({}, {}, { params })
  return {
    list: () => watches({}),
    filter: () => filtered({ 'spec[dial_color]': 'Black' }),
    range: () =>
      filtered({ 'spec[water_resistance:gte]': '100 m', 'spec[case_diameter:lt]': 42, per_page: 10 }),
    values: () => filtered({ 'spec[dial_color:any]': 'Black,Blue' }),
    prices: () =>
      watches({ 'retail_price_usd:gte': 5000, 'retail_price_usd:lt': 10000, sort: '-retail_price_usd' }),
    ids: () => watches({ ids: [1, 2, 3] }),
    fields: (): Promise<client.PickedWatchList> => watches({ fields: ['id', 'specs.dial_color'] }),
    facets: () => watches({ facets: ['dial_color', 'brand'], brand: 'Omega', explain: true }),
    changes: () => client.listChanges({ types: ['watch.created', 'brand.created'], limit: 20 }),
    resolve: () => client.resolve({ texts: ['Rolex 116610LV'] }),
    exported: async () => (await client.exportWatches({}, { client: readBlob, headers })).text(),
    refusal: async () => {
      // This client returns an error as if it were the result.
      const answer: object = await client.listBrands({ page: 0 })
      if (!isRefusal(answer)) throw new Error('not refused')
      return answer
    },
    webhooks: {
      create: (endpoint_url, once) =>
        client.createWebhook({ endpoint_url, events: ['watch.created'] }, { 'Idempotency-Key': once }),
      list: () => client.listWebhooks(),
      get: (id) => client.getWebhook(id),
      pause: (id) => client.changeWebhook(id, { status: 'paused' }),
      test: (id) => client.testWebhook(id),
      rotateSecret: (id) => client.rotateWebhookSecret(id),
      // It does not show the status; what it deleted is gone.
      delete: async (id) => {
        await client.deleteWebhook(id)
        return 204
      },
    },
  }

  /** The client always parses JSON, so the export needs one of its own. */
  async function readBlob<Data>({ url = '', headers = {} }: RequestConfig) {
    const response = await fetch(`${baseUrl}/api/v1${url}`, { headers })
    const { status, statusText } = response
    return { data: (await response.blob()) as Data, status, statusText, headers: response.headers }
  }
}

function isRefusal(answer: object): answer is client.ListBrands422 {
  return 'errors' in answer
}

type Spec = NonNullable<client.ListWatchesQueryParams['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
