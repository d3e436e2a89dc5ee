// Type tests: what the main calls result in, and how `fields` narrows the rows of a list.
import {
  type Brand,
  type Change,
  type Delivery,
  type PriceHistory,
  type Resolution,
  type SpecKey,
  type Suggestion,
  type Usage,
  type Watch,
  Watchdata,
  type WatchPage,
  type Webhook,
  type WebhookWithSecret,
} from '@watchdata/sdk'
import { expectType } from 'tsd'

const client = new Watchdata({ apiKey: 'key', baseUrl: 'https://watches.example.com' })

// One page when awaited, rows when iterated.
const list = client.watches.list({ spec: { dial_color: 'Black' } })
expectType<WatchPage<Watch>>(await list)
for await (const watch of list) expectType<Watch>(watch)
for await (const page of list.pages()) expectType<WatchPage<Watch>>(page)

// Only the fields that were asked for.
const picked = await client.watches.list({ fields: ['id', 'brand', 'specs.dial_color'] })
for (const row of picked.data) {
  expectType<{ id: number; brand: string; specs: { dial_color?: unknown } }>(row)
  // @ts-expect-error: this field was not asked for
  row.collection
  // @ts-expect-error: this spec was not asked for
  row.specs.case_diameter
}
for await (const row of client.brands.watches('rolex', { fields: ['retail_price_usd', 'specs'] })) {
  expectType<{ retail_price_usd: number | null; specs: Record<string, unknown> }>(row)
}

// Any field may be missing where the fields are not known before the program runs.
const chosen: ('id' | 'brand')[] = ['id']
for (const row of (await client.watches.list({ fields: chosen })).data) expectType<Partial<Watch>>(row)

expectType<Watch>(await client.watches.get(1))
expectType<PriceHistory>(await client.watches.prices(1, { from: '2024-01-31' }))
expectType<Brand>(await client.brands.get('rolex'))
for await (const brand of client.brands.list({ sort: '-watches_count' })) expectType<Brand>(brand)
expectType<SpecKey[]>(await client.specs.list())
expectType<Suggestion[]>(await client.suggest('om', { limit: 3 }))
expectType<Resolution[]>(await client.resolve(['Rolex', { text: '116610LV', brand: 'Rolex' }]))
expectType<Usage>(await client.usage())

const exported = client.export()
for await (const watch of exported) expectType<Watch>(watch)
expectType<string>(exported.cursor)
const feed = client.changes.follow({ since: exported.cursor, types: ['watch.*', 'brand.created'] })
for await (const change of feed) expectType<Change>(change)
expectType<string>(feed.cursor)
expectType<string>((await client.changes.list({ since: 0, limit: 10 })).meta.next_cursor)

expectType<WebhookWithSecret>(await client.webhooks.create({ endpoint_url: 'https://example.com' }))
expectType<Webhook>(await client.webhooks.update(1, { status: 'paused', filter: null }))
expectType<void>(await client.webhooks.delete(1))
for await (const delivery of client.webhooks.deliveries(1)) expectType<Delivery>(delivery)

// A call is a promise, which also has its response.
const { data, response, rateLimit, requestId } = await client.watches.get(1).withResponse()
expectType<Watch>(data)
expectType<Response>(response)
expectType<Date | undefined>(rateLimit?.resetAt)
expectType<string | undefined>(requestId)
expectType<Watch | 'none'>(await client.watches.get(1).catch(() => 'none' as const))
const both = await Promise.all([client.watches.get(1), client.brands.get(1)])
expectType<[Watch, Brand]>(both)
