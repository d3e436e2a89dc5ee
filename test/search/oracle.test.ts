// Compares the index with a plain scan: for random catalogues and queries, both return the same bytes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { expectNaive, expectNaiveDictionary, expectPagesToJoin } from './expect-naive.ts'
import { oracleRuns, runsOf } from './oracle-runs.ts'
import { randomCatalogue } from './random-catalogue.ts'
import { dice, poolOf, queryOf } from './random-queries.ts'
import { buildFresh, readStored, storeCatalogue, vocabulary } from './stored-catalogue.ts'

const queries = fc.array(dice, { minLength: 60, maxLength: 60, size: 'max' })

describe('the index', () => {
  const engine = createEngine()

  test('returns what a scan returns for every query', { timeout: oracleRuns.timeoutMs }, async () => {
    const { database } = await openFresh(engine)
    let asked = 0
    let found = 0
    await fc.assert(
      fc.asyncProperty(randomCatalogue, queries, async (random, rows) => {
        await storeCatalogue(database, random)
        const index = await buildFresh(database)
        const { catalogue, watches } = await readStored(database)
        const pool = poolOf(catalogue, watches)
        const parsed = rows
          .map((row) => queryOf(row, pool, vocabulary))
          .filter((query) => query !== undefined)
        for (const query of parsed) {
          asked++
          if (expectNaive(index, watches, query) > 0) found++
        }
        // Again, now from cached results.
        for (const query of parsed) expectNaive(index, watches, query)
        for (const query of parsed.slice(0, 3)) expectPagesToJoin(index, watches, query)
        expectNaiveDictionary(index, catalogue, watches)
      }),
      runsOf(oracleRuns.catalogues),
    )
    // Otherwise the queries would test nothing.
    expect(asked).toBeGreaterThan(oracleRuns.catalogues * 30)
    expect(found).toBeGreaterThan(asked / 4)
  })
})
