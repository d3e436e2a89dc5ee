// Provides copies for the tests of `watchdata sync`: a target of each kind, what a copy contains, what the API lists, and
// random changes to the catalogue.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Watch, Watchdata } from '../../sdk/src/index.ts'
import { createBrand } from '../../src/catalogue/brands.ts'
import { editBrand } from '../../src/catalogue/edit/edit-brand.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { createWatch, deleteWatches, readWatchesForUpdate } from '../../src/catalogue/watches.ts'
import { getHead, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { endLater } from '../lifetime.ts'

export const formats = ['ndjson', 'sqlite'] as const
export type Format = (typeof formats)[number]

export interface Target {
  readonly format: Format
  readonly file: string
  /** The value of --to. */
  readonly to: string
  watches(): Watch[]
  cursor(): string
  setCursor(cursor: string): void
  exists(): boolean
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sync-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A target in a new folder. */
export async function makeTarget(format: Format): Promise<Target> {
  return targetIn(await makeFolder(), format)
}

/** A target in a new folder, with the copy of another. */
export async function copyOf({ file, format }: Target): Promise<Target> {
  const folder = await makeFolder()
  await cp(path.dirname(file), folder, { recursive: true })
  return targetIn(folder, format)
}

function targetIn(folder: string, format: Format): Target {
  return format === 'sqlite'
    ? sqliteTarget(path.join(folder, 'watches.db'))
    : fileTarget(path.join(folder, 'watches.ndjson'))
}

function fileTarget(file: string): Target {
  const state = () => JSON.parse(readFileSync(`${file}.cursor`, 'utf8'))
  return {
    format: 'ndjson',
    file,
    to: file,
    watches: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    cursor: () => state().cursor,
    setCursor: (cursor) => writeFileSync(`${file}.cursor`, JSON.stringify({ ...state(), cursor })),
    exists: () => existsSync(file),
  }
}

function sqliteTarget(file: string): Target {
  const withDatabase = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    format: 'sqlite',
    file,
    to: `sqlite:${file}`,
    watches: () =>
      withDatabase((database) =>
        database
          .prepare('SELECT * FROM watches ORDER BY id')
          .all()
          .map((row) => ({ ...row, specs: JSON.parse(String(row.specs)) }) as unknown as Watch),
      ),
    cursor: () =>
      withDatabase((database) => String(database.prepare('SELECT cursor FROM sync_state').get()?.cursor)),
    setCursor: (cursor) =>
      withDatabase((database) => database.prepare('UPDATE sync_state SET cursor = ?').run(cursor)),
    exists: () => existsSync(file),
  }
}

/** What the API lists, by id. */
export async function listOf(api: string, apiKey: string): Promise<Watch[]> {
  const all: Watch[] = []
  for await (const watch of new Watchdata({ baseUrl: api, apiKey }).watches.list({ after: 0 }))
    all.push(watch)
  return all
}

/** Waits until the service has every change that is in its database. */
export async function untilServed(database: Database, api: string, apiKey: string): Promise<void> {
  const { sequence } = await getHead(database.reader)
  const client = new Watchdata({ baseUrl: api, apiKey, maxRetries: 10 })
  await client.watches.list({ per_page: 1 }, { headers: { 'x-min-sequence': String(sequence) } })
}

/** Changes watches at random, adds five of a new brand, deletes three, and renames a brand. */
export async function changeAtRandom(database: Database, clock: Clock, watches: readonly Watch[]) {
  const any = () => watches[Math.floor(Math.random() * watches.length)]?.id ?? 1
  const price = { date: '2026-03-01', source: 'test' }
  const renamed = await recordChanges(database, clock, async (tx, record) => {
    const parts = { tx, engine: database.engine, clock, record, brandName: String, source: price.source }
    const rows = await readWatchesForUpdate(tx, [...new Set(Array.from({ length: 30 }, any))])
    const updates = rows.map((row, at) => ({
      row,
      next: {
        ...row,
        current_market_price: Math.ceil(Math.random() * 90_000),
        ...(at % 3 === 0 && { collection: 'Ünï\u2028code “”' }),
      },
    }))
    await updateWatches(parts, updates)
    const unknown = { country: null, founded_year: null, website: null }
    const brand_id = await createBrand(tx, clock, record, {
      ...{ name: 'Newcomer', slug: 'newcomer', aliases: [] },
      ...unknown,
    })
    for (let at = 0; at < 5; at++) {
      const names = { brand_id, collection: '', reference_number: `N-${at}` }
      const prices = { retail_price_usd: null, current_market_price: at === 0 ? null : at }
      const nested = { nested: [{ deep: 0.1 + at }], '10': 1, '2': 'number-like key' }
      const specs = { jewels: at, dial_color: 'Black', ...nested }
      await createWatch(tx, clock, record, { ...names, ...prices, specs }, price)
    }
    await deleteWatches(tx, record, [any(), any(), any()])
    return rows[0]?.brand_id ?? 1
  })
  const { signal } = new AbortController()
  const parts = { database, clock, signal, isDryRun: false, onProgress: () => {} }
  await editBrand(parts, renamed, { name: 'Renamed', addAliases: [], removeAliases: [] })
}
