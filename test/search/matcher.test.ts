// Compares webhook filters with the list: for random catalogues and queries, a watch matches a filter if and only if
// the list of that query contains it. The words of `q` must stand as they are, which the list does not insist on.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { compileFilters, parseFilter, type WatchFilter } from '../../src/search/matcher/watch-matcher.ts'
import { operators } from '../../src/search/query/operators.ts'
import type { Filter, WatchQuery } from '../../src/search/query/watch-query.ts'
import { prepareSelection } from '../../src/search/results/find-matches.ts'
import { pageOf } from '../../src/search/sets/watch-set.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { naiveMatches } from './naive-list.ts'
import type { NaiveWatch } from './naive-watches.ts'
import { oracleRuns, runsOf } from './oracle-runs.ts'
import { randomCatalogue } from './random-catalogue.ts'
import { dice, poolOf, queryOf } from './random-queries.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const queries = fc.array(dice, { minLength: 120, maxLength: 120, size: 'max' })

describe('the filters of webhooks', () => {
  const engine = createEngine()

  test('match exactly the watches that the list returns', { timeout: oracleRuns.timeoutMs }, async () => {
    const { database } = await openFresh(engine)
    const counts = { asked: 0, found: 0 }
    await fc.assert(
      fc.asyncProperty(randomCatalogue, queries, async (random, rows) => {
        await storeCatalogue(database, random)
        const index = await buildFresh(database)
        const { catalogue, watches } = await readStored(database)
        const pool = poolOf(catalogue, watches)
        const filters = new Set(
          rows.map((row) => filterOf(queryOf(row, pool, vocabulary))).filter((text) => text !== undefined),
        )
        const match = compileFilters(filters, vocabulary, catalogue.brands, failUnread)
        const matched = new Map([...filters].map((filter) => [filter, [] as number[]]))
        for (const { json } of watches) {
          const watch = JSON.parse(json)
          for (const filter of match(watch)) matched.get(filter)?.push(watch.id)
        }
        for (const [filter, ids] of matched) {
          const parsed = parseFilter(filter, vocabulary)
          const listed = listedIds(index, parsed)
          // The list forgives more, but finds every watch that has the words as they stand.
          const meant = parsed.words.length === 0 ? listed : literalIds(watches, parsed)
          expect({ filter, ids }).toEqual({ filter, ids: meant })
          expect({ filter, ids: ids.filter((id) => !listed.includes(id)) }).toEqual({ filter, ids: [] })
          counts.asked++
          if (ids.length > 0) counts.found++
        }
      }),
      runsOf(oracleRuns.catalogues),
    )
    // Otherwise the filters would test nothing.
    expect(counts.asked).toBeGreaterThan(oracleRuns.catalogues * 50)
    expect(counts.found).toBeGreaterThan(counts.asked / 4)
  })
})

/** The filters of the query as text; undefined if it has none, or if it is too long for a webhook filter. */
function filterOf(query: WatchQuery | undefined): string | undefined {
  if (query === undefined) return undefined
  const parameters = query.filters.flatMap((filter) =>
    filter.values.map((value) => [nameOf(filter), value] as const),
  )
  if (query.ids !== undefined) parameters.push(['ids', query.ids.join()])
  if (query.words.length > 0) parameters.push(['q', query.words.join(' ')])
  const text = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  try {
    parseFilter(text, vocabulary)
    return text
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function nameOf({ subject, key, operator }: Filter): string {
  const suffix = operators.find((row) => row.operator === operator)?.suffix
  const name = subject === 'spec' ? `spec[${encodeURIComponent(key)}]` : subject
  return suffix === undefined ? name : `${name}[${suffix}]`
}

function listedIds(index: WatchIndex, { filters, ids, words }: WatchFilter): number[] {
  const text = words.length === 0 ? undefined : words.join(' ')
  const { set } = prepareSelection(index, { filters, ids, text }).find()
  const ordinals = pageOf(index.postings.slots, set, 0, set.count)
  return Array.from(ordinals, (ordinal) => index.columns.id(ordinal))
}

function literalIds(watches: readonly NaiveWatch[], filter: WatchFilter): number[] {
  return naiveMatches(watches, filter, vocabulary).map(({ row }) => row.id)
}

function failUnread(filter: string): never {
  throw new Error(`${filter} could not be parsed.`)
}
