// Tests a guarantee of the API: any value it returns, sent back as the filter for its key, finds the watch it came
// from; and filtering by a facet value finds exactly as many watches as the facet counts.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { recordChanges } from '../../src/changes/log.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { countFacets, listValues } from '../../src/search/results/facets.ts'
import { prepareSelection } from '../../src/search/results/find-matches.ts'
import { readQuery } from '../../src/search/results/read-query.ts'
import { listKeys } from '../../src/search/results/spec-keys.ts'
import { hasOrdinal } from '../../src/search/sets/watch-set.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { oracleRuns, runsOf } from './oracle-runs.ts'
import { randomCatalogue } from './random-catalogue.ts'
import { buildFresh, storeCatalogue } from './stored-catalogue.ts'

const keyMax = 128
const valueMax = 512
const valuesMax = 10_000

describe('a value that the API returns', () => {
  const engine = createEngine()

  const sampled = share(async () => {
    const { database, clock } = await openFresh(engine)
    const sample = await readSample()
    await recordChanges(database, clock, (tx, record) => loadSample(tx, clock, record, sample))
    return buildFresh(database)
  })

  test('finds its watch when used as a filter, for every value of the sample catalogue', () => {
    expect(expectEachToBeFound(sampled())).toBeGreaterThan(4_000)
  })

  test('finds as many watches as its count says, for every value of the sample catalogue', () => {
    expect(expectCountsToHold(sampled())).toBeGreaterThan(1_000)
  })

  test('does both for random documents', { timeout: oracleRuns.timeoutMs }, async () => {
    const { database } = await openFresh(engine)
    await fc.assert(
      fc.asyncProperty(randomCatalogue, async (random) => {
        await storeCatalogue(database, random)
        const index = await buildFresh(database)
        expectEachToBeFound(index)
        expectCountsToHold(index)
      }),
      runsOf(oracleRuns.catalogues),
    )
  })
})

/** Checks every leaf of every document, from the bytes that are sent; returns the number of leaves. */
function expectEachToBeFound(index: WatchIndex): number {
  let found = 0
  for (let ordinal = 0; ordinal < index.columns.used; ordinal++) {
    const watch = JSON.parse(index.rows.get(ordinal).toString())
    for (const [key, value] of Object.entries(watch.specs)) {
      for (const leaf of leavesOf(value)) {
        if (!canBeAsked(key, leaf)) continue
        expectToFind(index, `spec[${encodeURIComponent(key)}]`, leaf, ordinal)
        expectToFind(index, `spec[${encodeURIComponent(key)}][exact]`, leaf, ordinal)
        found++
      }
    }
    for (const field of ['brand', 'collection', 'reference_number']) {
      if (canBeAsked(field, watch[field])) expectToFind(index, field, watch[field], ordinal)
    }
    for (const field of ['retail_price_usd', 'current_market_price']) {
      if (watch[field] !== null) expectToFind(index, field, String(watch[field]), ordinal)
    }
  }
  return found
}

function expectToFind(index: WatchIndex, name: string, value: string, ordinal: number): void {
  const matches = ask(index, name, value)
  const isFound = hasOrdinal(index.postings.slots, matches, ordinal)
  if (!isFound) expect({ name, value, finds: false }).toEqual({ name, value, finds: true })
}

/** Checks the facets, values and examples of every key; returns the number of values. */
function expectCountsToHold(index: WatchIndex): number {
  let counted = 0
  const none = { filters: [], ids: undefined }
  for (const { key, examples } of listKeys(index)) {
    const { values } = listValues(index, key, 0, valuesMax)
    expect(values.slice(0, examples.length).map(({ value }) => value)).toEqual(examples)
    const facet = `specs.${key}`
    expect(countFacets(index, none, [facet])[facet]).toEqual(values.slice(0, 1_000))
    for (const { value, count } of values) {
      if (!canBeAsked(key, String(value))) continue
      const total = ask(index, `spec[${encodeURIComponent(key)}]`, String(value)).count
      if (total !== count) expect({ key, value, total }).toEqual({ key, value, total: count })
      counted++
    }
  }
  for (const field of ['brand', 'collection']) {
    for (const { value, count } of countFacets(index, none, [field])[field] ?? []) {
      // Several brands may share a name; the facet counts each of them separately.
      if (!canBeAsked(field, String(value))) continue
      const total = ask(index, field, String(value)).count
      if (field === 'brand') expect(total).toBeGreaterThanOrEqual(count)
      else expect({ value, total }).toEqual({ value, total: count })
    }
  }
  return counted
}

function ask(index: WatchIndex, name: string, value: string) {
  return prepareSelection(index, readQuery(index, `${name}=${encodeURIComponent(value)}`)).find().set
}

/** The leaves as text, as in the JSON but without the quotes of strings. */
function leavesOf(value: unknown): string[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** Returns false for keys and values that no query string can hold. */
function canBeAsked(key: string, value: string): boolean {
  if (!key.isWellFormed() || !value.isWellFormed() || key === '' || value === '') return false
  return [...key].length <= keyMax && [...value].length <= valueMax
}
