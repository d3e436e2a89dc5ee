// Tests keeping a copy with the SDK: the export, and following the changes from its cursor.
import { describe, expect, test, vi } from 'vitest'
import {
  type Change,
  ConnectionError,
  CursorExpiredError,
  QuotaExceededError,
  ServiceUnavailableError,
  Watchdata,
} from '../../sdk/src/index.ts'
import { startPlanServer } from '../api/plan-server.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { type FaultyHandler, json, openFaultyServer } from './faulty-server.ts'
import { recordedClient } from './recorded-client.ts'

const engine = createEngine()
const clock = manualClock('2026-03-01T13:00:00.000Z')
const open = share(() => startPlanServer(engine, { LOG_LEVEL: 'silent' }))
const optionsOf = (plan: 'free' | 'pro' | 'platinum' = 'platinum') => {
  const { baseUrl, keys } = open()
  return { baseUrl, apiKey: keys[plan] }
}
const price = (watchId: number, retail_price_usd: number) =>
  setPrice(open().database, clock, watchId, { retail_price_usd, current_market_price: 2 })

describe('an export', () => {
  test('has every watch, and the cursor from which the copy goes on', async () => {
    const client = new Watchdata(optionsOf())
    const exported = client.export()
    expect(() => exported.cursor).toThrow('once the loop has begun')
    const copy = new Map<number, object>()
    for await (const watch of exported) {
      copy.set(watch.id, watch)
      expect(exported.cursor).toMatch(/^[\da-f]{8}-\d+/)
    }
    for await (const watch of client.watches.list()) expect(copy.get(watch.id)).toEqual(watch)
    const { meta } = await client.watches.list({ per_page: 1 })
    expect(copy.size).toBe(meta.total)
    expect((await client.changes.list({ since: 'now' })).meta.next_cursor).toBe(exported.cursor)
  })

  test('of which the reader has enough frees its place', async () => {
    const client = new Watchdata(optionsOf())
    // An account may run two at once.
    for (let exports = 0; exports < 5; exports += 1) {
      for await (const { id } of client.export({ maxRetries: 5 })) if (id > 0) break
    }
    expect((await client.usage()).used).toBeGreaterThan(4)
  })

  const begun: FaultyHandler = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-change-cursor': 'c-1' })
    response.write('{"id":1}\n{"id":2}\n')
  }

  test.each<[string, FaultyHandler]>([
    ['between two lines', (response) => response.destroy()],
    ['in the middle of a line', (response) => response.end('{"id"')],
  ])('that is cut %s throws: it never looks complete', async (_, end) => {
    const { baseUrl } = await openFaultyServer((response, request) => {
      begun(response, request)
      setImmediate(() => end(response, request))
    })
    const exported = new Watchdata({ baseUrl, apiKey: 'key' }).export()
    const ids: number[] = []
    const reading = (async () => {
      for await (const { id } of exported) ids.push(id)
    })()
    await expect(reading).rejects.toBeInstanceOf(ConnectionError)
    expect(exported.cursor).toBe('c-1')
  })

  test('that is the response of something else throws, and says so', async () => {
    const { baseUrl } = await openFaultyServer(json(200, { data: [] }))
    const reading = async () => {
      for await (const _ of new Watchdata({ apiKey: 'key', baseUrl }).export()) throw new Error('a watch')
    }
    await expect(reading()).rejects.toThrow('the response is not an export')
  })

  test('that stops arriving, or is aborted, throws too', async () => {
    const { baseUrl } = await openFaultyServer(begun)
    const client = new Watchdata({ baseUrl, apiKey: 'key' })
    const abort = new AbortController()
    const read = async (options: object, onWatch = () => {}) => {
      for await (const _ of client.export(options)) onWatch()
    }
    await expect(read({ timeoutMs: 100 })).rejects.toThrow('GET /export: no response within 100 ms')
    await expect(read({ signal: abort.signal }, () => abort.abort('enough'))).rejects.toBe('enough')
  })
})

describe('a feed', () => {
  test('hands out every change in order, and those that come while it waits', async () => {
    const { client, exchanged } = recordedClient(optionsOf('pro'))
    const start = (await client.changes.list({ since: 'now' })).meta.next_cursor
    await price(1, 101)
    await price(2, 102)
    const feed = client.changes.follow({ since: start })
    const seen: Change[] = []
    for await (const change of feed) {
      seen.push(change)
      if (seen.length === 2) await price(3, 103)
      if (seen.length === 3) await removeWatch(open().database, clock, 4)
      if (seen.length === 4) break
    }
    expect(seen.map(({ type, watch_id }) => [type, watch_id])).toEqual([
      ['watch.price_changed', 1],
      ['watch.price_changed', 2],
      ['watch.price_changed', 3],
      ['watch.deleted', 4],
    ])
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, at) => (seen[0]?.sequence ?? 0) + at))
    // The service waited: each response had a change, but the first.
    expect(exchanged.length).toBeLessThanOrEqual(1 + seen.length)
  })

  test('can be gone on from its cursor after any change, and nothing is missed', async () => {
    const { changes } = new Watchdata(optionsOf('pro'))
    const { meta } = await changes.list({ since: 'now' })
    const last = Number(meta.next_cursor.split('-')[1])
    const feed = changes.follow({ since: 0 })
    const seen: number[] = []
    for await (const { sequence } of feed) {
      seen.push(sequence)
      if (sequence <= last) expect(feed.cursor).toBe('0')
      if (sequence === last) await price(6, 106)
      if (sequence > last) break
    }
    expect(seen).toEqual(Array.from({ length: last + 1 }, (_, at) => at + 1))
    expect(feed.cursor).toBe(meta.next_cursor)
    const again = await changes.follow({ since: feed.cursor })[Symbol.asyncIterator]().next()
    expect(again.value).toMatchObject({ sequence: last + 1, watch_id: 6 })
  })

  test('that starts now has the changes from then on, and can be stopped', async () => {
    const { client, exchanged } = recordedClient(optionsOf('pro'))
    const abort = new AbortController()
    const feed = client.changes.follow({ since: 'now', signal: abort.signal })
    const changes = feed[Symbol.asyncIterator]()
    const first = changes.next()
    await vi.waitFor(() => expect(feed.cursor).not.toBe('now'), patience)
    await price(5, 105)
    expect((await first).value).toMatchObject({ type: 'watch.price_changed', watch_id: 5 })
    const next = expect(changes.next()).rejects.toBe('enough')
    abort.abort('enough')
    await next
    expect(exchanged.map(({ status }) => status)).toEqual([200, 200])
  })

  test('waits at no cost, also where the service does not wait', async () => {
    const { client, exchanged } = recordedClient(optionsOf('pro'))
    const used = (await client.usage()).used
    const abort = new AbortController()
    const feed = client.changes.follow({ since: 'now', waitSeconds: 0 }, { signal: abort.signal })
    const ended = expect(feed[Symbol.asyncIterator]().next()).rejects.toBe('enough')
    await vi.waitFor(() => expect(exchanged.filter(({ status }) => status === 304)).toHaveLength(2), patience)
    abort.abort('enough')
    await ended
    expect(exchanged.map(({ status }) => status)).toEqual([200, 200, 304, 304])
    expect((await client.usage()).used).toBe(used + 1)
  })

  test('throws where it cannot go on: the cursor, the plan or the day is at its end', async () => {
    const first = (client: Watchdata, since = '0') =>
      client.changes.follow({ since })[Symbol.asyncIterator]().next()
    await expect(first(new Watchdata(optionsOf('pro')), '00000000-1-000000000000')).rejects.toBeInstanceOf(
      CursorExpiredError,
    )
    await expect(first(new Watchdata(optionsOf('free')))).rejects.toMatchObject({
      name: 'PlanError',
      status: 403,
    })
    const gone = json(410, { message: 'The change log no longer goes back that far.' })
    const { baseUrl } = await openFaultyServer(gone, json(429, {}, { 'x-ratelimit-reset': '1772409600' }))
    const client = new Watchdata({ baseUrl, apiKey: 'key' })
    await expect(first(client)).rejects.toThrow('goes back that far. Start again with an export.')
    await expect(first(client)).rejects.toBeInstanceOf(QuotaExceededError)
  })

  test('goes on after errors that pass, but not before its first response', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const change = (sequence: number) =>
      json(200, { data: [{ sequence }], meta: { next_cursor: `c-${sequence}`, has_more: true } })
    const failed = json(503, {})
    const { baseUrl, requests } = await openFaultyServer(failed, change(1), failed, failed, failed, change(2))
    const { changes } = new Watchdata({ baseUrl, apiKey: 'key', maxRetries: 0 })
    const feed = changes.follow({ since: 0, types: ['watch.*', 'brand.created'] })
    const unread = feed[Symbol.asyncIterator]()
    await expect(unread.next()).rejects.toBeInstanceOf(ServiceUnavailableError)
    const seen: number[] = []
    for await (const { sequence } of feed) if (seen.push(sequence) === 2) break
    expect(seen).toEqual([1, 2])
    expect(feed.cursor).toBe('c-1')
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"c-1"')
    expect(requests.at(-1)?.url).toBe(
      '/api/v1/changes?since=c-1&limit=500&wait=10&types=watch.*,brand.created',
    )
    vi.restoreAllMocks()
  })
})
