// Provides catalogues for the tests of bulk edits: stores watches, reads everything back, and simulates a database
// that dies midway.
import { expect } from 'vitest'
import type { BulkEditParts } from '../../src/catalogue/edit/change-specs.ts'
import { type Change, readAfter } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { insertBrand, insertWatches } from '../search/stored-catalogue.ts'

export interface StoredWatch {
  readonly brand: string
  readonly reference?: string
  readonly collection?: string
  readonly specs?: string
}

const changesMax = 100_000

/** Replaces the catalogue: creates a brand for each name, and watches with ids in order. */
export async function storeWatches(database: Database, watches: readonly StoredWatch[]): Promise<void> {
  await database.write(async (tx) => {
    for (const table of ['prices', 'watches', 'brands'] as const) await tx.deleteFrom(table).execute()
    const ids = new Map<string, number>()
    for (const { brand } of watches) {
      const slug = brand.toLowerCase().replace(/\W+/g, '-')
      if (!ids.has(brand)) ids.set(brand, await insertBrand(tx, { name: brand, slug, aliases: [] }))
    }
    const rows = watches.map(({ brand, reference, collection = '', specs = '{}' }, at) => ({
      id: at + 1,
      brand_id: ids.get(brand) as number,
      collection,
      reference_number: reference ?? `R${at + 1}`,
      retail_price_usd: null,
      current_market_price: null,
      specs,
      updated_at: '2026-03-01T00:00:00.000Z',
    }))
    await insertWatches(tx, rows)
  })
}

export function careParts(database: Database, clock: Clock, isDryRun = false): BulkEditParts {
  return { database, clock, isDryRun, signal: new AbortController().signal, onProgress: () => {} }
}

/** The whole catalogue and its change log. */
export async function dump({ reader }: Database) {
  return {
    brands: await reader.selectFrom('brands').selectAll().orderBy('id').execute(),
    watches: await reader.selectFrom('watches').selectAll().orderBy('id').execute(),
    prices: await reader.selectFrom('prices').selectAll().orderBy('watch_id').orderBy('date').execute(),
    changes: await readAfter(reader, 0, changesMax),
  }
}

type Dump = Awaited<ReturnType<typeof dump>>

export async function changesSince({ reader }: Database, before: Dump): Promise<Change[]> {
  return readAfter(reader, before.changes.at(-1)?.sequence ?? 0, changesMax)
}

/** The ids whose `updated_at` has increased. Expects all other watches to be unchanged. */
export function changedIds(before: Dump, after: Dump): number[] {
  const old = new Map(before.watches.map((row) => [row.id, row]))
  return after.watches.flatMap((row) => {
    const previous = old.get(row.id)
    if (previous?.updated_at === row.updated_at) {
      expect(row).toEqual(previous)
      return []
    }
    expect(row.updated_at > (previous?.updated_at ?? '')).toBe(true)
    return [row.id]
  })
}

/** Simulates a kill: commits the first `writes` transactions and rejects all later ones. */
export function dyingAfter(database: Database, writes: number): Database {
  let left = writes
  return {
    ...database,
    write(work, options) {
      if (left-- <= 0) return Promise.reject(new Error('killed'))
      return database.write(work, options)
    },
  }
}
