// Tests a catalogue of many blocks: sets stored as bitmaps, their rank directories, and the threshold between bitmaps
// and lists of numbers. Small catalogues never reach these.

import { describe, expect, test } from 'vitest'
import type { WatchRow } from '../../src/catalogue/watches.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { parseWatchQuery } from '../../src/search/query/parse-query.ts'
import { prepareList } from '../../src/search/results/list-watches.ts'
import { sparseShare } from '../../src/search/sets/watch-set.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { expectNaive, expectNaiveDictionary, expectPagesToJoin } from './expect-naive.ts'
import { type Catalogue, type NaiveWatch, readCatalogue } from './naive-watches.ts'
import type { RandomWatch } from './random-catalogue.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const size = 12_000
/** The spare slots that build-index.ts reserves. */
const spare = 1_024
/** The largest number of watches that is still stored as a list instead of a bitmap. */
const sparseMax = Math.ceil((size + spare) / sparseShare) - 1

const brands = ['Zenith', 'Omega', 'Rolex'].map((name) => ({
  name,
  slug: name.toLowerCase(),
  aliases: ['maker'],
}))
const colors = ['Black', 'black', 'Blue', 'Grey', 'gray', 'Green', 'White']

function largeWatch(at: number): RandomWatch {
  const specs = {
    dial_color: colors[at % colors.length],
    water_resistance: at % 3 === 0 ? '100 m' : at % 3 === 1 ? '10 bar' : 30 + (at % 40),
    few: `v${at % 500}`,
    own: at,
    // Values only in the first blocks, none in the first block, and only in the last.
    ...(at < 3_000 ? { early: true } : {}),
    ...(at >= 2_048 && at % 2 === 0 ? { late: ['a', 'b'] } : {}),
    ...(at >= size - 400 ? { end: 'x' } : {}),
    ...(at % 50 === 0 && at / 50 < sparseMax ? { edge: 'near' } : {}),
  }
  return {
    brand: at % 7,
    step: at % 1_000 === 999 ? 5 : 1,
    collection: `Collection ${at % 13}`,
    reference_number: `R.${at}`,
    retail_price_usd: at % 5 === 0 ? null : (at * 7_919) % 1_000,
    current_market_price: at % 50 === 0 ? at : null,
    specs: JSON.stringify(specs),
    updated_at: new Date(Date.UTC(2026, 0, 1, 0, at % 240)).toISOString(),
  }
}

const filters = [
  '',
  'spec[dial_color]=black',
  'spec[dial_color]=grey&spec[water_resistance]=330%20ft',
  'spec[dial_color][not]=black&spec[late][exists]=true',
  'spec[early]=true&spec[late]=a',
  'spec[end]=x&spec[few]=v499',
  'spec[few][]=v1&spec[few][]=v2&spec[few][]=v3',
  'spec[dial_color][]=black&spec[dial_color][]=blue&spec[few][not]=v7',
  'spec[edge]=near',
  'spec[edge][exists]=false&brand=omega',
  'spec[own][gte]=2040&spec[own][lt]=2060',
  'spec[water_resistance][gt]=60&retail_price_usd[lt]=100',
  'current_market_price[gte]=0',
  'brand=maker&collection=collection%203',
  'q=omega%20col',
  'q=black%20v3',
  'ids=1,2048,2049,2050,4096,12000,99999',
]
const orders = [
  'id',
  '-id',
  'brand',
  '-brand',
  'retail_price_usd',
  '-retail_price_usd',
  '-current_market_price',
  'updated_at',
]
/** Every filter with some sort orders and page depths. */
const queries = filters.flatMap((filter, at) =>
  [0, 3, 5].map((shift) => {
    const sort = orders[(at + shift) % orders.length]
    const page = [1, 15, 40][(at + shift) % 3]
    const facets = at % 3 === 0 && shift === 0 ? '&facets=dial_color,brand,early,edge,few' : ''
    return parseWatchQuery(
      `${filter}&sort=${sort}&page=${page}&per_page=${90 + shift}&fields=id${facets}`,
      vocabulary,
    )
  }),
)
const edge = parseWatchQuery('spec[edge]=near&per_page=100&page=3&facets=edge,few', vocabulary)
const notEdge = parseWatchQuery(
  'spec[edge][exists]=false&spec[dial_color]=black&sort=-id&page=15',
  vocabulary,
)

describe('a catalogue of many blocks', () => {
  const engine = createEngine()

  const stored = share(async () => {
    const { database } = await openFresh(engine)
    await storeCatalogue(database, {
      brands,
      watches: Array.from({ length: size }, (_, at) => largeWatch(at)),
    })
    return { database, ...(await readStored(database)) }
  })

  async function open() {
    return { ...stored(), index: await buildFresh(stored().database) }
  }

  test('a deep page holds exactly the watches that a scan finds', async () => {
    const { index, watches, catalogue } = await open()
    for (const query of queries) expectNaive(index, watches, query)
    for (const query of queries) expectNaive(index, watches, query)
    expectNaiveDictionary(index, catalogue, watches)
    expectPagesToJoin(index, watches, { ...edge, sort: { by: 'retail_price_usd', descending: true } })
  })

  test('a set that grows into a bitmap and shrinks again loses no watch', async () => {
    const { database, index, catalogue, watches } = await open()
    const known = new Map(watches.map((watch) => [watch.row.id, watch]))
    expect(prepareList(index, edge).find().total).toBe(sparseMax)
    // One id below, one within and one above those in the set; then removals, then past the threshold again.
    for (const [id, specs] of [
      [2, '{"edge":"near"}'],
      [11_998, '{"edge":["NEAR","far"],"dial_color":"Black"}'],
      [4_097, '{"edge":"near"}'],
      [1, '{}'],
      [4_097, '{"dial_color":"black"}'],
      [2, '{"edge":null}'],
      [7_000, '{"edge":"near"}'],
      [7_001, '{"edge":"near"}'],
    ] as const) {
      const row = { ...(known.get(id) as NaiveWatch).row, specs }
      learn(known, catalogue.brands, [row])
      expect(applyRows(index, [row])).toBe(true)
      const watches = listed(known)
      for (const query of [edge, notEdge]) expectNaive(index, watches, query)
      await database.write((tx) => tx.updateTable('watches').set({ specs }).where('id', '=', id).execute())
    }
    const changed = listed(known)
    for (const query of queries) expectNaive(index, changed, query)
    const fresh = await buildFresh(database)
    for (const query of queries) expect(bodyOf(index, query)).toBe(bodyOf(fresh, query))
    await database.write(async (tx) => {
      for (const { row } of watches) {
        if (known.get(row.id)?.row.specs === row.specs) continue
        await tx.updateTable('watches').set({ specs: row.specs }).where('id', '=', row.id).execute()
      }
    })
  })

  test('all spare slots are used, and then a change that needs one more is rejected as a whole', async () => {
    const { index, catalogue, watches } = await open()
    const last = catalogue.watches.at(-1) as WatchRow
    const known = new Map(watches.map((watch) => [watch.row.id, watch]))
    const added = Array.from({ length: spare }, (_, at) => ({ ...last, id: last.id + 1 + at }))
    for (let start = 0; start < spare; start += 256) {
      const slice = added.slice(start, start + 256)
      learn(known, catalogue.brands, slice)
      // One watch is deleted per slice; its slot is not reused.
      known.delete(start + 10)
      expect(applyRows(index, slice, [start + 10])).toBe(true)
    }
    const full = listed(known)
    for (const query of queries) expectNaive(index, full, query)
    const changed = { ...(known.get(20) as NaiveWatch).row, specs: '{"dial_color":"Pink"}' }
    expect(index.apply(changeOf([changed, { ...last, id: last.id + spare + 1 }], [30]))).toBe(false)
    for (const query of queries.slice(0, 6)) expectNaive(index, full, query)
    // Without the watch that has no slot, the change is applied.
    expect(applyRows(index, [changed], [30])).toBe(true)
    expect(index.size).toBe(known.size - 1)
  })
})

/** Reads only the changed rows again. */
function learn(known: Map<number, NaiveWatch>, brands: Catalogue['brands'], rows: readonly WatchRow[]): void {
  for (const watch of readCatalogue({ brands, watches: rows }, vocabulary)) known.set(watch.row.id, watch)
}

function listed(known: ReadonlyMap<number, NaiveWatch>): NaiveWatch[] {
  return [...known.values()].sort((one, other) => one.row.id - other.row.id)
}

function applyRows(index: WatchIndex, rows: readonly WatchRow[], gone: readonly number[] = []): boolean {
  return index.apply(changeOf(rows, gone))
}

function changeOf(rows: readonly WatchRow[], gone: readonly number[] = []) {
  const watches = new Map<number, WatchRow | undefined>(rows.map((row) => [row.id, row]))
  for (const id of gone) watches.set(id, undefined)
  return { watches, sequence: 1, commitId: '', readAt: 1, at: '2026-03-02T00:00:00.000Z' }
}

function bodyOf(index: WatchIndex, query: Parameters<typeof prepareList>[1]): string {
  return prepareList(index, query).find().body().toString()
}
