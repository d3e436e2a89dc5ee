// Tests the types of rows: the compiler checks them, and `npm test` runs the compiler.
import { expectTypeOf, test } from 'vitest'
import type { Watch } from './api-types.ts'
import type { Watchdata } from './client.ts'
import type { WebhookEvent } from './verify-webhook.ts'
import type { WatchField, WatchQuery } from './watch-query.ts'
import type { WatchPage, WatchRow } from './watch-row.ts'

type List = Watchdata['watches']['list']
/** Never called: only its types are looked at. */
const list: List = () => undefined as never

test('without fields, a row is a whole watch', () => {
  expectTypeOf(() => list()).returns.resolves.toEqualTypeOf<WatchPage<Watch>>()
  expectTypeOf(() => list({ brand: 'Rolex' })).returns.resolves.toEqualTypeOf<WatchPage<Watch>>()
  expectTypeOf(() => list({ fields: undefined })).returns.resolves.toEqualTypeOf<WatchPage<Watch>>()
})

test('with fields, a row has exactly these', () => {
  type Row = { id: number; brand: string; specs: { dial_color?: unknown } }
  const picked = () => list({ fields: ['id', 'brand', 'specs.dial_color'] })
  expectTypeOf(picked).returns.resolves.toEqualTypeOf<WatchPage<Row>>()
  expectTypeOf<WatchRow<['id', 'retail_price_usd']>>().toEqualTypeOf<{
    id: number
    retail_price_usd: number | null
  }>()
  expectTypeOf<WatchRow<['specs', 'specs.a']>>().toEqualTypeOf<Pick<Watch, 'specs'>>()
  expectTypeOf<WatchRow<['specs.a', 'specs.b']>>().toEqualTypeOf<{ specs: { a?: unknown; b?: unknown } }>()
})

test('with fields that are not known before the program runs, any may be missing', () => {
  expectTypeOf<WatchRow<WatchField[]>>().toEqualTypeOf<Partial<Watch>>()
  expectTypeOf((query: WatchQuery) => list(query)).returns.resolves.toEqualTypeOf<
    WatchPage<Partial<Watch> | Watch>
  >()
})

test('a wrong name, operator or order is a type error', () => {
  // @ts-expect-error
  void (() => list({ fields: ['price'] }))
  // @ts-expect-error
  void (() => list({ sort: 'price' }))
  // @ts-expect-error
  void (() => list({ dial_color: 'Black' }))
  // @ts-expect-error
  void (() => list({ spec: { dial_color: { like: 'Black' } } }))
  // @ts-expect-error
  void (() => list({ retail_price_usd: { gte: '5000' } }))
})

test('an event is told apart by its type', () => {
  const idOf = (event: WebhookEvent) => {
    if (event.type === 'webhook.test') return event.data.webhook_id
    return event.type === 'brand.updated' ? event.data.brand_id : event.data.sequence
  }
  expectTypeOf(idOf).returns.toEqualTypeOf<number>()
})
