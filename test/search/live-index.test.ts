// Guarantees of the live index to its readers: they see complete versions, soon, and never wait.

import { once } from 'node:events'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CacheBudget, megabyte } from '../../src/cache-budget.ts'
import { getHead, recordChanges } from '../../src/changes/log.ts'
import { openLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics.ts'
import { FairTurns } from '../../src/search/index/fair-turns.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { openLiveIndex } from '../../src/search/live/live-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { insertBrand, insertWatches, vocabulary } from './stored-catalogue.ts'

/** More than are applied in place, and more than are indexed in the main thread. */
const many = 3_100
const lookMs = 1
const eventually = { ...patience, interval: 5 }
const clock = manualClock()

describe('the live index', () => {
  const engine = createEngine()

  async function open(size: number) {
    const { database, config } = await openFresh(engine)
    const brandId = await recordChanges(database, clock, async (tx, record) => {
      const id = await insertBrand(tx, { name: 'Omega', slug: 'omega', aliases: [] })
      record({ type: 'brand.created', subjectId: id })
      return id
    })
    /** Writes watches with these ids, each with its entry in the change log. */
    const create = (ids: readonly number[]) =>
      recordChanges(database, clock, async (tx, record) => {
        await insertWatches(
          tx,
          ids.map((id) => watchRow(id, brandId)),
        )
        for (const id of ids) record({ type: 'watch.created', subjectId: id })
      })
    if (size > 0) await create(Array.from({ length: size }, (_, at) => at + 1))
    const live = await openLiveIndex({
      turns: new FairTurns(),
      budget: new CacheBudget(16 * megabyte),
      database,
      config,
      vocabulary,
      metrics: createMetrics(),
      log: openLog(config),
    })
    onTestFinished(() => live.stop())
    const arrived = async () => {
      const { sequence } = await getHead(database.reader)
      await vi.waitFor(() => expect(live.current.head.sequence).toBe(sequence), eventually)
    }
    return { database, live, brandId, create, arrived }
  }

  test('small changes appear in place', async () => {
    const { database, live, create, arrived } = await open(3)
    const index = live.current
    await create([4, 5])
    await recordChanges(database, clock, async (tx, record) => {
      await tx.deleteFrom('watches').where('id', '=', 2).execute()
      record({ type: 'watch.deleted', subjectId: 2 })
      await tx.updateTable('watches').set({ specs: '{"dial_color":"Red"}' }).where('id', '=', 3).execute()
      record({ type: 'watch.updated', subjectId: 3 })
    })
    await arrived()
    expect(idsOf(live.current, '')).toEqual([1, 3, 4, 5])
    expect(idsOf(live.current, 'spec[dial_color]=red')).toEqual([3])
    expect(live.current).toBe(index)
  })

  test('a bulk of changes is built in a worker thread and swapped in; readers only see complete versions', async () => {
    const { live, create, arrived } = await open(10)
    const before = live.current
    const seen = new Set<string>()
    let isDone = false
    const watching = (async () => {
      for (;;) {
        const { current } = live
        const total = prepareList(current, parseWatchQuery('', vocabulary)).find().total
        seen.add(`${current.head.sequence}: ${current.size}, ${total}`)
        if (isDone) return
        // Not on every iteration of the event loop: a busy loop would take CPU time from the worker thread that
        // builds.
        await delay(lookMs)
      }
    })()
    await create(Array.from({ length: many }, (_, at) => at + 11))
    await arrived()
    isDone = true
    await watching
    expect(live.current).not.toBe(before)
    expect(live.current.size).toBe(many + 10)
    // The brand has the first sequence, each watch one of the following.
    for (const version of seen) {
      const [sequence, size, total] = version.split(/\D+/).map(Number)
      expect({ size, total }).toEqual({ size: (sequence as number) - 1, total: size })
    }
    // Only the old and the new version, never a part of the bulk.
    expect([...seen]).toEqual([`11: 10, 10`, `${many + 11}: ${many + 10}, ${many + 10}`])
    // Later changes are applied in place again.
    await create([many + 11])
    await arrived()
    expect(live.current.size).toBe(many + 11)
  })

  test('a rebuilt index is prepared while the current one serves queries', async () => {
    const { live, create, arrived } = await open(10)
    const before = live.current
    const prepared: { size: number; isBefore: boolean; isBehind: boolean }[] = []
    live.beforeNext(async (next) => {
      await setImmediate()
      const isBehind = (live.lagMs ?? 0) > 0
      prepared.push({ size: next.size, isBefore: live.current === before, isBehind })
    })
    await create(Array.from({ length: many }, (_, at) => at + 11))
    await arrived()
    expect(prepared).toEqual([{ size: many + 10, isBefore: true, isBehind: true }])
    expect(live.lagMs).toBe(0)
  })

  test('a renamed brand has its new name in every row', async () => {
    const { database, live, brandId, arrived } = await open(30)
    await recordChanges(database, clock, async (tx, record) => {
      await tx.updateTable('brands').set({ name: 'Tissot' }).where('id', '=', brandId).execute()
      record({ type: 'brand.updated', subjectId: brandId })
    })
    await arrived()
    const body = JSON.parse(listOf(live.current, 'facets=brand&per_page=100'))
    expect(new Set(body.data.map(({ brand }: { brand: string }) => brand))).toEqual(new Set(['Tissot']))
    expect(body.facets.brand).toEqual([{ value: 'Tissot', count: 30 }])
    expect(idsOf(live.current, 'q=tissot')).toHaveLength(25)
    // By its slug, which stays.
    expect(idsOf(live.current, 'q=omega')).toHaveLength(25)
  })

  test('ids that are committed out of order appear in order of id', async () => {
    const { live, create, arrived } = await open(3)
    // Just below the newest id, far below it, and below most.
    for (const id of [20, 15, 200, 199, 100, 5]) {
      await create([id])
      await arrived()
    }
    expect(idsOf(live.current, '')).toEqual([1, 2, 3, 5, 15, 20, 100, 199, 200])
    expect(idsOf(live.current, 'sort=-id')).toEqual([200, 199, 100, 20, 15, 5, 3, 2, 1])
    expect(idsOf(live.current, 'sort=brand&spec[dial_color]=black')).toEqual([
      1, 2, 3, 5, 15, 20, 100, 199, 200,
    ])
  })

  test('a watch and its brand created in one transaction appear together', async () => {
    const { database, live, arrived } = await open(3)
    await recordChanges(database, clock, async (tx, record) => {
      const id = await insertBrand(tx, { name: 'Acme', slug: 'acme', aliases: ['Ω'] })
      await insertWatches(tx, [watchRow(9, id)])
      record({ type: 'brand.created', subjectId: id })
      record({ type: 'watch.created', subjectId: 9 })
    })
    await arrived()
    expect(idsOf(live.current, 'brand=%CE%A9')).toEqual([9])
    expect(idsOf(live.current, 'sort=brand')).toEqual([9, 1, 2, 3])
  })

  test('stops immediately while a worker thread builds the index', async () => {
    const { live, create } = await open(10)
    const [thread] = await Promise.all([
      once(process, 'worker') as Promise<unknown[]>,
      create(Array.from({ length: many }, (_, at) => at + 11)),
    ])
    expect(thread).toHaveLength(1)
    const start = performance.now()
    await live.stop()
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(live.current.size).toBe(10)
  })
})

function watchRow(id: number, brand_id: number) {
  return {
    id,
    brand_id,
    collection: 'Speedmaster',
    reference_number: `310.${id}`,
    retail_price_usd: id,
    current_market_price: null,
    specs: '{"dial_color":"Black"}',
    updated_at: '2026-03-01T00:00:00.000Z',
  }
}

function listOf(index: WatchIndex, written: string): string {
  return prepareList(index, parseWatchQuery(written, vocabulary)).find().body().toString()
}

function idsOf(index: WatchIndex, written: string): number[] {
  return JSON.parse(listOf(index, written)).data.map(({ id }: { id: number }) => id)
}
