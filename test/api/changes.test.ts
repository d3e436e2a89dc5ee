// Tests the change feed over real HTTP: its contents, order, access, cost, and long polling.
import { describe, expect, test, vi } from 'vitest'
import { type BrandDraft, createBrand } from '../../src/catalogue/brands.ts'
import { createWatch } from '../../src/catalogue/watches.ts'
import { type NewChange, recordChanges } from '../../src/changes/log.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import type { Tx } from '../../src/storage/database.ts'
import { beginEpoch } from '../../src/storage/migrate.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'
import { sequenceOf, settled } from './settled.ts'

const silent = { LOG_LEVEL: 'silent' }
const clock = manualClock('2026-03-01T13:00:00.000Z')

interface Feed {
  readonly data: readonly {
    readonly sequence: number
    readonly type: string
    readonly at: string
    readonly watch_id?: number
    readonly watch?: object | null
    readonly brand_id?: number
    readonly brand?: { readonly name: string } | null
    readonly changes?: object
  }[]
  readonly meta: { readonly next_cursor: string; readonly has_more: boolean }
}

async function feed(server: PlanServer, query: string): Promise<Feed> {
  const answer = await server.ask('pro', `/changes?${query}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Feed
}

const write = (server: PlanServer, work: (tx: Tx, record: (change: NewChange) => void) => Promise<unknown>) =>
  recordChanges(server.database, clock, work)

const price = (server: PlanServer, watchId: number, retail_price_usd: number) =>
  setPrice(server.database, clock, watchId, { retail_price_usd, current_market_price: 2 })

const brandOf = (name: string): BrandDraft => ({
  name,
  slug: name.toLowerCase(),
  aliases: [`No ${name}`],
  country: null,
  founded_year: 2001,
  website: null,
})

describeEachEngine('the change feed', (engine) => {
  const open = share(async () => {
    const settings = await engine.settings('sample')
    return { settings, server: await startPlanServer({ ...engine, settings: async () => settings }, silent) }
  })

  test('is the whole log in order, without a gap, for any page size', async () => {
    const { server } = open()
    const head = await sequenceOf(server)
    const all: Feed['data'][number][] = []
    let query = 'limit=500'
    for (const limit of [1, 7, 100, 500, 500, 500, 500, 500]) {
      const { data, meta } = await feed(server, query)
      all.push(...data)
      expect(meta.has_more).toBe(all.length < head)
      query = `since=${meta.next_cursor}&limit=${limit}`
    }
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: head }, (_, at) => at + 1))
    const answer = await server.ask('pro', '/watches/5')
    const { data: watch } = (await answer.json()) as { data: object }
    expect(all.find(({ watch_id }) => watch_id === 5)).toEqual({
      sequence: expect.any(Number),
      type: 'watch.created',
      at: '2026-03-01T12:00:00.000Z',
      watch_id: 5,
      watch,
    })
  })

  test('returns each change with the current state, and null for what was deleted', async () => {
    const { server } = open()
    const start = await sequenceOf(server)
    const brand = brandOf('Nobody')
    const created = await write(server, async (tx, record) => {
      const brand_id = await createBrand(tx, clock, record, brand)
      const draft = { brand_id, collection: 'C', reference_number: 'R "1"', specs: { dial_color: 'Ω' } }
      const prices = { retail_price_usd: 1, current_market_price: null }
      const dated = { date: '2026-03-01', source: 'test' }
      return createWatch(tx, clock, record, { ...draft, ...prices }, dated)
    })
    await price(server, created as number, 7.5)
    await price(server, 10, 3)
    await removeWatch(server.database, clock, 10)
    await settled(server)
    const answer = await server.ask('pro', `/changes?since=${start}`)
    const text = await answer.text()
    const { data, meta } = JSON.parse(text) as Feed
    expect(data.map(({ type }) => type)).toEqual([
      'brand.created',
      'watch.created',
      'watch.price_changed',
      'watch.price_changed',
      'watch.deleted',
    ])
    const [made, first, priced, lost, deleted] = data
    expect(Object.keys(made ?? {})).toEqual(['sequence', 'type', 'at', 'brand_id', 'brand'])
    expect(made?.brand).toEqual({ ...brand, id: made?.brand_id, updated_at: clock.now().toISOString() })
    // The same bytes as in the list, for both changes: the watch in its current state.
    const one = (await (await server.ask('pro', `/watches/${created}`)).text()).slice('{"data":'.length, -1)
    expect(text.split(`"watch_id":${created},"watch":${one}`)).toHaveLength(3)
    expect(first?.changes).toBeUndefined()
    expect(priced?.changes).toEqual({
      retail_price_usd: { old: 1, new: 7.5 },
      current_market_price: { old: null, new: 2 },
    })
    expect([lost?.watch, deleted?.watch, deleted?.watch_id]).toEqual([null, null, 10])
    expect(meta).toEqual({ next_cursor: expect.stringMatching(`-${start + 5}-`), has_more: false })
  })

  test('skips types that were not requested', async () => {
    const { server } = open()
    const start = await sequenceOf(server)
    await price(server, 11, 3)
    await write(server, (tx, record) => createBrand(tx, clock, record, brandOf('Nothing')))
    await price(server, 12, 3)
    await settled(server)
    const types = async (query: string) => {
      const { data, meta } = await feed(server, query)
      return [data.map(({ type }) => type), Number(meta.next_cursor.split('-')[1]) - start, meta.has_more]
    }
    const [priced, made] = ['watch.price_changed', 'brand.created']
    expect(await types(`since=${start}&types=brand.*`)).toEqual([[made], 3, false])
    expect(await types(`since=${start}&types=brand.*&limit=1`)).toEqual([[made], 2, true])
    expect(await types(`since=${start}&types=watch.*`)).toEqual([[priced, priced], 3, false])
    expect(await types(`since=${start}&types=brand.created,${priced}`)).toEqual([
      [priced, made, priced],
      3,
      false,
    ])
    expect(await types(`since=${start}&types=brand.updated`)).toEqual([[], 3, false])
    expect(await types(`since=${start}&types=*`)).toEqual([[priced, made, priced], 3, false])
  })

  test('responds to a waiting request as soon as there is a change, and not before', async () => {
    const { server } = open()
    const { meta } = await feed(server, 'since=now')
    const held = feed(server, `since=${meta.next_cursor}&wait=10`)
    const filtered = feed(server, `since=${meta.next_cursor}&wait=10&types=brand.*`)
    await price(server, 13, 3)
    expect((await held).data.map(({ watch_id }) => watch_id)).toEqual([13])
    await write(server, (tx, record) => createBrand(tx, clock, record, brandOf('Nowhere')))
    expect((await filtered).data.map(({ type }) => type)).toEqual(['brand.created'])
  })

  test('of a restored database has another epoch', async () => {
    const { server } = open()
    const { meta } = await feed(server, 'since=now')
    await server.database.write((tx) => beginEpoch(tx, clock))
    await vi.waitFor(async () => {
      const answer = await server.ask('pro', `/changes?since=${meta.next_cursor}`)
      const { errors } = (await answer.json()) as { errors?: object }
      expect([answer.status, errors]).toEqual([422, { since: [expect.stringContaining('export anew')] }])
    }, patience)
    const { meta: next } = await feed(server, 'since=now')
    expect(next.next_cursor.split('-')[0]).not.toBe(meta.next_cursor.split('-')[0])
    expect(next.next_cursor.split('-')[1]).toBe(meta.next_cursor.split('-')[1])
  })

  test('refuses a cursor of a change that was lost in a failover, and no other', async () => {
    const { server } = open()
    const { meta: kept } = await feed(server, 'since=now')
    await price(server, 14, 1)
    const { meta: lost } = await feed(server, `since=${kept.next_cursor}&wait=10`)
    const waiting = server.ask('pro', `/changes?since=${lost.next_cursor}&wait=10`)
    await server.database.write(async (tx) => {
      const { value } = await tx.selectFrom('sequence').select('value').executeTakeFirstOrThrow()
      await tx.deleteFrom('changes').where('sequence', '=', value).execute()
      await tx
        .updateTable('sequence')
        .set({ value: value - 1 })
        .execute()
    })
    await price(server, 15, 2)
    await price(server, 16, 3)
    await vi.waitFor(async () => {
      const { data } = await feed(server, `since=${kept.next_cursor}`)
      expect(data.map(({ watch_id }) => watch_id)).toEqual([15, 16])
    }, patience)
    for (const answer of [await waiting, await server.ask('pro', `/changes?since=${lost.next_cursor}`)]) {
      expect([answer.status, await answer.json()]).toEqual([
        422,
        {
          message: 'The given data was invalid.',
          errors: { since: ['The since is of a change that the database lost in a failover: export anew.'] },
        },
      ])
    }
  })

  test('answers 410 for a cursor before the first change that is kept', async () => {
    const { server } = open()
    const { meta: old } = await feed(server, 'since=now')
    await price(server, 17, 1)
    await price(server, 17, 2)
    await settled(server)
    const { meta: kept } = await feed(server, 'since=now')
    await price(server, 17, 3)
    await settled(server)
    const first = Number(kept.next_cursor.split('-')[1])
    await server.database.write((tx) => tx.deleteFrom('changes').where('sequence', '<=', first).execute())
    const answer = await server.ask('pro', `/changes?since=${old.next_cursor}&wait=10`)
    expect([answer.status, await answer.json()]).toEqual([
      410,
      {
        message:
          'The change log no longer goes back that far. Please export the catalogue anew and continue from its cursor.',
      },
    ])
    const { data } = await feed(server, `since=${kept.next_cursor}&wait=10`)
    expect(data.map(({ watch_id }) => watch_id)).toEqual([17])
  })

  test('never goes backwards for a reader, whichever of two processes responds', async () => {
    const { server, settings } = open()
    const config = parseConfig({ ...silent, ...settings, PORT: '0', DRAIN_MS: '0', BURST_LIMIT: '0' })
    const second = await startServer(config, openLog(config))
    try {
      const doors = [server.baseUrl, second.baseUrl]
      let cursor = (await feed(server, 'since=now')).meta.next_cursor
      const end = (await sequenceOf(server)) + 20
      for (let at = 0; at < 20; at++) await price(server, 1, 10 + at)
      const seen: number[] = []
      const sequence = () => Number(cursor.split('-')[1])
      for (let turn = 0; sequence() < end; turn++) {
        const url = `${doors[turn % 2]}/api/v1/changes?since=${cursor}&limit=3&wait=1`
        const answer = await fetch(url, { headers: { authorization: `Bearer ${server.keys.pro}` } })
        const { data, meta } = (await answer.json()) as Feed
        seen.push(...data.map((change) => change.sequence))
        cursor = meta.next_cursor
      }
      expect(seen).toEqual(Array.from({ length: 20 }, (_, at) => end - 19 + at))
    } finally {
      await second.close()
    }
  })
})

describe('the change feed', () => {
  const engine = createEngine()
  const open = share(() => startPlanServer(engine, silent, 'few'))

  const badTypes =
    'The selected types is invalid: it may be *, watch.*, brand.*, watch.created, watch.updated, watch.price_changed, watch.deleted, brand.created, brand.updated or brand.deleted.'
  const bad: [string, string, string][] = [
    ['since=', 'since', 'The since field is required.'],
    ['since=x', 'since', 'The since must be a cursor, a sequence or now.'],
    ['since=-1', 'since', 'The since must be a cursor, a sequence or now.'],
    ['since=1&since=1', 'since', 'The since must be given once.'],
    ['since[]=1', 'since', 'The since must be written without brackets.'],
    ['since=%ff', 'since', 'The since must be valid percent-encoded UTF-8.'],
    ['since=999999', 'since', 'The since is beyond the end of the change log.'],
    [
      'since=00000000-1',
      'since',
      'The since is of another life of the database, which was restored: export anew.',
    ],
    ['limit=0', 'limit', 'The limit must be between 1 and 500.'],
    ['limit=501', 'limit', 'The limit must be between 1 and 500.'],
    ['limit=1e2', 'limit', 'The limit must be an integer.'],
    ['wait=11', 'wait', 'The wait must be between 0 and 10.'],
    ['wait=-1', 'wait', 'The wait must be between 0 and 10.'],
    ['wait=', 'wait', 'The wait must be an integer.'],
    ['types=', 'types', badTypes],
    ['types=watch', 'types', badTypes],
    ['types=webhook.test', 'types', badTypes],
    [`types=${'*,'.repeat(30)}*`, 'types', 'The types may not have more than 10 items.'],
  ]
  test('rejects invalid parameters, with all errors at once', async () => {
    const server = await open().forOthers()
    for (const [query, field, text] of bad) {
      const answer = await server.ask('pro', `/changes?${query}`)
      expect([query, answer.status, await answer.json()]).toEqual([
        query,
        422,
        { message: 'The given data was invalid.', errors: { [field]: [text] } },
      ])
    }
    const answer = await server.ask('pro', '/changes?since=x&limit=0&wait=x&types=x&page=0')
    const { errors } = (await answer.json()) as { errors: object }
    expect(Object.keys(errors)).toEqual(['since', 'limit', 'wait', 'types'])
    expect((await server.ask('free', '/changes?limit=0')).status).toBe(403)
  })

  test('costs nothing while nothing is new, and one request otherwise, however long it waits', async () => {
    const server = await open().forOthers()
    const ask = async (path: string, etag = '') => {
      const headers = etag === '' ? {} : { 'if-none-match': etag }
      const answer = await server.ask('pro', path, { headers })
      const remaining = Number(answer.headers.get('x-ratelimit-remaining'))
      return { status: answer.status, etag: answer.headers.get('etag') ?? '', remaining, answer }
    }
    const { meta } = await feed(server, 'since=now')
    const path = `/changes?since=${meta.next_cursor}`
    const first = await ask(path)
    const again = await ask(path, first.etag)
    const held = await ask(`${path}&wait=1`, first.etag)
    expect([first.status, again.status, held.status]).toEqual([200, 304, 304])
    expect([again.remaining, held.remaining]).toEqual([first.remaining, first.remaining])
    const waiting = ask(`${path}&wait=10`, first.etag)
    await price(server, 1, 3)
    const news = await waiting
    expect([news.status, news.remaining]).toEqual([200, first.remaining - 1])
    expect(((await news.answer.json()) as Feed).data).toHaveLength(1)
    // At the end of the log the cursor is a sufficient validator.
    const { meta: next } = await feed(server, `since=${meta.next_cursor}`)
    const free = await ask(`/changes?since=${next.next_cursor}`, `"${next.next_cursor}"`)
    expect([free.status, free.remaining]).toEqual([304, first.remaining - 2])
    // Changes of other types may happen meanwhile.
    const others = ask(`/changes?since=${next.next_cursor}&types=brand.*&wait=1`, `"${next.next_cursor}"`)
    await price(server, 1, 4)
    expect([(await others).status, (await others).remaining]).toEqual([304, first.remaining - 2])
    // A wait without a change is charged like any other request.
    const idle = await ask(`/changes?since=now&wait=1`)
    expect([idle.status, idle.remaining]).toEqual([200, first.remaining - 3])
  })

  test('lets ten requests of an account wait, responds to more immediately, and accepts others when those end', async () => {
    const server = await open().forOthers()
    await settled(server)
    const { meta } = await feed(server, 'since=now')
    const path = `/changes?since=${meta.next_cursor}&wait=10`
    const leaving = new AbortController()
    const startedMs = performance.now()
    const eleven = Array.from({ length: 11 }, () => server.ask('pro', path, { signal: leaving.signal }))
    expect((await Promise.race(eleven)).status).toBe(200)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    leaving.abort()
    expect((await Promise.allSettled(eleven)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await vi.waitFor(async () => {
      const askedMs = performance.now()
      await feed(server, 'since=now&wait=1')
      expect(performance.now() - askedMs).toBeGreaterThan(900)
    }, patience)
  })

  test('lets no request wait during shutdown', async () => {
    const server = await startPlanServer(engine, silent, 'few')
    const { meta } = await feed(server, 'since=now')
    const startedMs = performance.now()
    const held = feed(server, `since=${meta.next_cursor}&wait=10`)
    // This response shows that the previous request is waiting.
    await feed(server, 'since=now')
    const closing = server.close()
    expect(await held).toEqual({ data: [], meta })
    await closing
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  })
})
