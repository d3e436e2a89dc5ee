// Calls the API with openapi-fetch, by the types of openapi-typescript.
import createClient from 'openapi-fetch'
import type { Connect } from './calls.ts'
import type { components, paths } from './generated/openapi-fetch/schema.ts'

export const connect: Connect = (baseUrl, key) => {
  const { DELETE, GET, PATCH, POST } = createClient<paths>({
    baseUrl: `${baseUrl}/api/v1`,
    headers: { Authorization: `Bearer ${key}` },
  })
  const watches = async (query: NonNullable<paths['/watches']['get']['parameters']['query']>) =>
    had(await GET('/watches', { params: { query } }))
  const at = (id: number) => ({ params: { path: { id } } })
  return {
    list: () => watches({}),
    filter: () => watches({ spec: { dial_color: 'Black' } }),
    range: () => watches({ spec: { 'water_resistance:gte': '100 m', 'case_diameter:lt': 42 }, per_page: 10 }),
    values: () => watches({ spec: { 'dial_color:any': 'Black,Blue' } }),
    prices: () =>
      watches({ 'retail_price_usd:gte': 5000, 'retail_price_usd:lt': 10000, sort: '-retail_price_usd' }),
    ids: () => watches({ ids: [1, 2, 3] }),
    fields: (): Promise<components['schemas']['PickedWatchList']> =>
      watches({ fields: ['id', 'specs.dial_color'] }),
    facets: () => watches({ facets: ['dial_color', 'brand'], brand: 'Omega', explain: true }),
    changes: async () =>
      had(
        await GET('/changes', {
          params: { query: { types: ['watch.created', 'brand.created'], limit: 20 } },
        }),
      ),
    resolve: async () => had(await POST('/resolve', { body: { texts: ['Rolex 116610LV'] } })),
    // The only setting that this client needs: its default is to parse JSON.
    exported: async () => had(await GET('/export', { parseAs: 'text' })),
    refusal: async () => {
      const { error } = await GET('/brands', { params: { query: { page: 0 } } })
      if (error === undefined || !('errors' in error) || error.errors === undefined)
        throw new Error('no errors')
      return { message: error.message, errors: error.errors }
    },
    webhooks: {
      create: async (endpoint_url, once) =>
        had(
          await POST('/webhooks', {
            params: { header: { 'Idempotency-Key': once } },
            body: { endpoint_url, events: ['watch.created'] },
          }),
        ),
      list: async () => had(await GET('/webhooks')),
      get: async (id) => had(await GET('/webhooks/{id}', at(id))),
      pause: async (id) => had(await PATCH('/webhooks/{id}', { ...at(id), body: { status: 'paused' } })),
      test: async (id) => had(await POST('/webhooks/{id}/test', at(id))),
      rotateSecret: async (id) => had(await POST('/webhooks/{id}/rotate-secret', at(id))),
      delete: async (id) => (await DELETE('/webhooks/{id}', at(id))).response.status,
    },
  }
}

function had<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

type Spec = NonNullable<NonNullable<paths['/watches']['get']['parameters']['query']>['spec']>
// @ts-expect-error: an object would be sent as `[object Object]`
export const nested: Spec = { water_resistance: { gte: '100 m' } }
// @ts-expect-error: a list would be too
export const list: Spec = { dial_color: ['Black', 'Blue'] }
