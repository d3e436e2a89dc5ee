// Tests ETags when the catalogue changes, and on several servers of one database.
import { describe, expect, test, vi } from 'vitest'
import { recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Config } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine, describeEachEngine, type Engine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated } from '../databases/open-database.ts'
import { endLater, share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'

const lists = [
  '/watches',
  '/watches?brand=omega',
  '/watches?spec[dial_color]=Black',
  '/brands',
  '/brands/rolex',
  '/specs',
  '/specs/dial_color',
]

describeEachEngine('an ETag', (engine) => {
  const open = share(() => startWithDoor(engine, 'sample'))

  test('of a list changes with the catalogue; that of a watch changes only with the watch', async () => {
    const { server, other, clock } = open()
    const before = await etagsOf(server, [...lists, '/watches/1', '/watches/2'])
    clock.moveTo('2026-03-01T12:00:01.000Z')
    await setPrice(other, clock, 1, { retail_price_usd: 1, current_market_price: 2 })
    await untilChanged(server, '/watches', before)
    const after = await etagsOf(server, [...before.keys()])
    for (const path of [...lists, '/watches/1'])
      expect([path, after.get(path)]).not.toEqual([path, before.get(path)])
    expect(after.get('/watches/2')).toBe(before.get('/watches/2'))
    expect(await priceOf(server)).toBe(1)
  })

  test('is the same from every server of one database, before and after a change', async () => {
    const { server, config, other, clock } = open()
    const second = await start(config, manualClock('2027-01-01T00:00:00.000Z'))
    const paths = [
      ...lists,
      '/watches/1',
      '/watches/2',
      '/watches?sort=-brand&facets=dial_color&explain=1&fields=id',
    ]
    const before = await etagsOf(server, paths)
    expect(await etagsOf(second, paths)).toEqual(before)
    clock.moveTo('2026-03-01T12:00:02.000Z')
    await setPrice(other, clock, 1, { retail_price_usd: 3, current_market_price: 4 })
    for (const one of [server, second]) await untilChanged(one, '/watches', before)
    const after = await etagsOf(server, paths)
    expect(await etagsOf(second, paths)).toEqual(after)
    // A server that starts now builds a new index with the same ETags.
    const third = await start(config, clock)
    expect(await etagsOf(third, paths)).toEqual(after)
  })
})

describe('an ETag of a watch', () => {
  const engine = createEngine()
  const open = share(() => startWithDoor(engine, 'few'))

  test('changes with its brand, whose name it contains, and not with another brand', async () => {
    const { server, other, clock } = open()
    // The first brand of the sample has the first eight watches.
    const [own, foreign] = [
      ['/watches/1', '/watches/8'],
      ['/watches/9', '/watches/24'],
    ]
    const before = await etagsOf(server, [...own, ...foreign, '/watches'])
    clock.moveTo('2026-03-01T12:00:01.000Z')
    await recordChanges(other, clock, async (tx, record) => {
      const updated_at = clock.now().toISOString()
      await tx.updateTable('brands').set({ name: 'Lange', updated_at }).where('id', '=', 1).execute()
      record({ type: 'brand.updated', subjectId: 1 })
    })
    await untilChanged(server, '/watches', before)
    for (const path of own) {
      const answer = await ask(server, path)
      expect(await answer.json()).toMatchObject({ data: { brand: 'Lange' } })
      expect([path, answer.headers.get('etag')]).not.toEqual([path, before.get(path)])
    }
    for (const [path, etag] of await etagsOf(server, foreign))
      expect([path, etag]).toEqual([path, before.get(path)])
  })

  test('changes with the body, even twice within one millisecond', async () => {
    const { server, other, clock } = open()
    const etagAt = async (price: number) => {
      await setPrice(other, clock, 1, { retail_price_usd: price, current_market_price: 2 })
      await vi.waitFor(async () => expect(await priceOf(server)).toBe(price), patience)
      return (await etagsOf(server, ['/watches/1'])).get('/watches/1')
    }
    expect(await etagAt(10)).not.toBe(await etagAt(20))
  })

  test('stays valid until then: a conditional request gets 304', async () => {
    const { server, other, clock } = open()
    const before = await etagsOf(server, ['/watches', '/watches/2'])
    clock.moveTo('2026-03-01T12:00:02.000Z')
    await setPrice(other, clock, 1, { retail_price_usd: 1, current_market_price: 2 })
    await untilChanged(server, '/watches', before)
    const statuses = await Promise.all(
      [...before].map(async ([path, etag]) => (await ask(server, path, { 'if-none-match': etag })).status),
    )
    expect(statuses).toEqual([200, 304])
  })
})

/** Starts a server, and opens another connection to its database, as another process would. */
async function startWithDoor(engine: Engine, contents: 'sample' | 'few') {
  const config = await freshConfig(engine, contents)
  const clock = manualClock()
  const server = await start(config, clock)
  return { server, other: await openUnmigrated(config), clock, config }
}

async function start(config: Config, clock: Clock): Promise<RunningServer> {
  const server = await startServer(config, openLog(config), clock)
  endLater(() => server.close())
  return server
}

async function etagsOf(server: RunningServer, paths: readonly string[]): Promise<Map<string, string>> {
  const etags = new Map<string, string>()
  for (const path of paths) etags.set(path, (await ask(server, path)).headers.get('etag') ?? '')
  return etags
}

async function untilChanged(server: RunningServer, path: string, before: Map<string, string>): Promise<void> {
  const etag = async () => (await etagsOf(server, [path])).get(path)
  await vi.waitFor(async () => expect(await etag()).not.toBe(before.get(path)), patience)
}

async function priceOf(server: RunningServer): Promise<unknown> {
  const { data } = (await (await ask(server, '/watches/1')).json()) as { data: { retail_price_usd: unknown } }
  return data.retail_price_usd
}

function ask(server: RunningServer, path: string, more: Record<string, string> = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${server.demoKey}`, 'accept-encoding': 'identity', ...more }
  return fetch(`${server.baseUrl}/api/v1${path}`, { headers })
}
