// Type tests: queries and options that the service or the client would refuse do not compile, and what may be undefined
// may be written out.
import {
  type CallOptions,
  type ClientOptions,
  type SpecFilter,
  type SpecOperators,
  Watchdata,
  type WatchQuery,
} from '@watchdata/sdk'
import { expectAssignable, expectNotAssignable } from 'tsd'

const client = new Watchdata({ apiKey: 'key', baseUrl: 'https://watches.example.com' })

expectAssignable<WatchQuery>({
  spec: {
    water_resistance: { gte: '100 m', lt: 300 },
    dial_color: ['Black', 'Blue'],
    movement_type: { not: 'quartz' },
    limited_edition: true,
    strap: { exists: false },
    case_material: { any: ['gold', 'steel'], exact: 'Gold' },
  },
  retail_price_usd: { gte: 5_000, lt: 10_000 },
  current_market_price: 9_000,
  ids: [1, 2],
  sort: '-retail_price_usd',
  facets: ['brand'],
  explain: true,
  after: 0,
})
expectAssignable<WatchQuery>({ sort: 'relevance', q: 'submariner', page: 2, per_page: 100, strict: true })

// An operator, a field, a parameter or an order that does not exist.
expectNotAssignable<WatchQuery>({ spec: { case_diameter: { greater: 40 } } })
expectNotAssignable<WatchQuery>({ spec: { case_diameter: null } })
expectNotAssignable<WatchQuery>({ spec: { strap: { exists: 'yes' } } })
expectNotAssignable<WatchQuery>({ spec: 'dial_color' })
expectNotAssignable<WatchQuery>({ retail_price_usd: { not: 5 } })
expectNotAssignable<WatchQuery>({ retail_price_usd: '5000' })
expectNotAssignable<WatchQuery>({ sort: 'price' })
expectNotAssignable<WatchQuery>({ sort: '-relevance' })
expectNotAssignable<WatchQuery>({ fields: ['name'] })
expectNotAssignable<WatchQuery>({ ids: ['1'] })
// @ts-expect-error: there is no such operator
client.watches.list({ spec: { case_diameter: { min: 40 } } })
// @ts-expect-error: there is no such order
client.watches.list({ sort: 'newest' })
// @ts-expect-error: there is no such parameter
client.watches.list({ colour: 'Black' })
// @ts-expect-error: there is no such field
client.watches.list({ fields: ['id', 'price'] })
// @ts-expect-error: the id of a watch is a number
client.watches.get('1')
// @ts-expect-error: there is no such order of brands
client.brands.list({ sort: 'id' })
// @ts-expect-error: a feed has to start somewhere
client.changes.follow({})
// @ts-expect-error: there is no such type of change
client.changes.list({ types: ['watch.sold'] })
// @ts-expect-error: a webhook has an address
client.webhooks.create({ events: ['watch.created'] })
// @ts-expect-error: a title is a text
client.resolve([116610])
// @ts-expect-error: the address of the service is needed
new Watchdata({ apiKey: 'key' })

// With exactOptionalPropertyTypes, a program may pass on what it may not have.
type Undefinable<Type> = { [Name in keyof Type]: Type[Name] | undefined }
expectAssignable<WatchQuery>({} as Undefinable<WatchQuery>)
expectAssignable<SpecFilter>({} as Undefinable<SpecOperators>)
expectAssignable<CallOptions>({} as Undefinable<CallOptions>)
expectAssignable<Omit<ClientOptions, 'apiKey' | 'baseUrl'>>(
  {} as Undefinable<Omit<ClientOptions, 'apiKey' | 'baseUrl'>>,
)
declare const maybe: { text: string | undefined; count: number | undefined; signal: AbortSignal | undefined }
expectAssignable<WatchQuery>({
  brand: maybe.text,
  q: maybe.text,
  page: maybe.count,
  retail_price_usd: { gte: maybe.count },
  spec: { dial_color: maybe.text, case_diameter: { gte: maybe.count } },
})
expectAssignable<CallOptions>({ signal: maybe.signal, timeoutMs: maybe.count, idempotencyKey: maybe.text })
expectAssignable<ClientOptions>({
  apiKey: '',
  baseUrl: '',
  fetch,
  maxRetries: maybe.count,
  cache: { entries: 5 },
})
client.watches.list({ fields: undefined, sort: undefined }, undefined)
