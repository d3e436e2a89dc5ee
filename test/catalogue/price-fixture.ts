// Provides a small catalogue for tests of price imports: writes files, runs imports and reads back what is stored.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { createBrand } from '../../src/catalogue/brands.ts'
import { hasPrice, type Price } from '../../src/catalogue/prices.ts'
import { createWatch } from '../../src/catalogue/watches.ts'
import { getHead, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import {
  importPrices,
  type PriceImportOptions,
  type PriceImportParts,
  type PriceImportSummary,
} from '../../src/imports/prices/import-prices.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Engine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

export const noPrice: Price = { retail_price_usd: null, current_market_price: null }

const brands = [
  { name: 'Omega', slug: 'omega', aliases: ['Ω', 'Omega SA'] },
  { name: 'A. Lange & Söhne', slug: 'a-lange-soehne', aliases: ['ALS', 'Lange'] },
  { name: 'Rolex', slug: 'rolex', aliases: [] },
]

/**
 * Brand and reference; ids count from 1. The last two share a reference; 3 and 4 differ only in spelling and suffix.
 */
const watches: readonly (readonly [brand: number, reference: string])[] = [
  [0, '310.30.42.50.01.001'],
  [1, '191.032'],
  [2, '126610LN'],
  [2, '1266-10 LV'],
  [0, '5500'],
  [2, '5500'],
]

export interface PriceFixture {
  readonly database: Database
  readonly clock: Clock
  readonly directory: string
  /** Writes the texts to files and imports them with one command. */
  run(texts: readonly string[], options?: Partial<RunOptions>): Promise<PriceImportSummary>
  runFiles(
    files: readonly string[],
    options?: Partial<Omit<RunOptions, 'ending'>>,
  ): Promise<PriceImportSummary>
  /** The rows that the last import rejected. */
  rejected(): Promise<{ file: string; line: number; column?: string; value?: string; reason: string }[]>
  history(watchId: number): Promise<readonly (Price & { date: string; source: string })[]>
  price(watchId: number): Promise<Price & { updated_at: string }>
  sequence(): Promise<number>
}

interface RunOptions extends PriceImportOptions {
  readonly ending: string
  readonly maxErrors: number
  readonly onNote: PriceImportParts['onNote']
}

/** Opens the fixture; its watches have no prices. */
export async function openPriceFixture(engine: Engine): Promise<PriceFixture> {
  const { database, clock } = await openFresh(engine)
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-prices-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await fillPriceCatalogue(database)
  const rejectedFile = path.join(directory, 'rejected.ndjson')
  const runFiles: PriceFixture['runFiles'] = async (
    files,
    { maxErrors = 1_000, onNote = () => {}, ...given } = {},
  ) => {
    await rm(rejectedFile, { force: true })
    const rejects = new Rejects(rejectedFile, maxErrors)
    return importPriceFiles({ database, clock, rejects, onNote }, files, given)
  }
  return {
    database,
    clock,
    directory,
    async run(texts, { ending = 'csv', ...options } = {}) {
      const files: string[] = []
      for (const text of texts) {
        const file = path.join(directory, `${files.length + 1}.${ending}`)
        await writeFile(file, text)
        files.push(file)
      }
      return runFiles(files, options)
    },
    runFiles,
    async rejected() {
      const text = await readFile(rejectedFile, 'utf8').catch(() => '')
      const rows = text.split('\n').filter((line) => line !== '')
      return rows.map((line) => JSON.parse(line))
    },
    history: (watchId) =>
      database.reader
        .selectFrom('prices')
        .select(['date', 'retail_price_usd', 'current_market_price', 'source'])
        .where('watch_id', '=', watchId)
        .orderBy('date')
        .execute(),
    price: (watchId) =>
      database.reader
        .selectFrom('watches')
        .select(['retail_price_usd', 'current_market_price', 'updated_at'])
        .where('id', '=', watchId)
        .executeTakeFirstOrThrow(),
    sequence: async () => (await getHead(database.reader)).sequence,
  }
}

export function importPriceFiles(
  parts: Pick<PriceImportParts, 'database' | 'clock' | 'rejects'> & Partial<Pick<PriceImportParts, 'onNote'>>,
  files: readonly string[],
  options: Partial<PriceImportOptions> = {},
): Promise<PriceImportSummary> {
  const steps = { onWait: () => {}, onFile: () => {}, onNote: () => {}, onRead: () => {}, onStaged: () => {} }
  return importPrices({ ...steps, ...parts }, files, { ...usual, ...options })
}

const usual: PriceImportOptions = {
  read: {},
  rates: new Map(),
  currency: undefined,
  brand: undefined,
  as: 'market',
  order: undefined,
  source: 'import',
  isDryRun: false,
  who: 'operator',
}

/** Creates six watches of three brands, without prices. */
export async function fillPriceCatalogue(database: Database): Promise<void> {
  const clock = manualClock()
  await recordChanges(database, clock, async (tx, record) => {
    const ids: number[] = []
    for (const brand of brands) {
      const draft = { ...brand, country: null, founded_year: null, website: null }
      ids.push(await createBrand(tx, clock, record, draft))
    }
    for (const [brand, reference_number] of watches) {
      const draft = {
        brand_id: ids[brand] as number,
        collection: '',
        reference_number,
        ...noPrice,
        specs: {},
      }
      await createWatch(tx, clock, record, draft, { date: '2026-03-01', source: 'test' })
    }
  })
}

/** Returns day, retail price and market price of each line of the history. */
export async function linesOf(fixture: PriceFixture, watchId: number) {
  const lines = await fixture.history(watchId)
  return lines.map(({ date, retail_price_usd, current_market_price }) => [
    date,
    retail_price_usd,
    current_market_price,
  ])
}

export async function priceOf(fixture: PriceFixture, watchId: number) {
  const { retail_price_usd, current_market_price } = await fixture.price(watchId)
  return [retail_price_usd, current_market_price]
}

export type Line = readonly [
  id: number,
  date: string,
  retail: number | null,
  market: number | null,
  source: string,
]

/** Writes lines of the price history as imports do; the newest price of each kind becomes that of the watch. */
export function writeLines({ database }: PriceFixture, lines: readonly Line[]): Promise<void> {
  return database.write(async (tx) => {
    for (const [watch_id, date, retail_price_usd, current_market_price, source] of lines) {
      const price = { retail_price_usd, current_market_price }
      await tx
        .insertInto('prices')
        .values({ watch_id, date, ...price, source })
        .execute()
      const known = Object.fromEntries(Object.entries(price).filter(([, value]) => value !== null))
      if (hasPrice(price)) await tx.updateTable('watches').set(known).where('id', '=', watch_id).execute()
    }
  })
}
