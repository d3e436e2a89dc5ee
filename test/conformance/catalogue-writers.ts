// Writes to the catalogue of a server while a test reads it: random single changes, and now and then a change that
// makes the server rebuild its index.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createBrand } from '../../src/catalogue/brands.ts'
import { editBrand } from '../../src/catalogue/edit/edit-brand.ts'
import { mergeBrands } from '../../src/catalogue/edit/merge-brands.ts'
import { BrandFinder } from '../../src/catalogue/find-brand.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import {
  createWatch,
  deleteWatches,
  readWatchesForUpdate,
  watchesRows,
  watchValues,
} from '../../src/catalogue/watches.ts'
import { getHead, type NewChange, recordChanges } from '../../src/changes/log.ts'
import { systemClock as clock } from '../../src/clock.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { reserveIds } from '../../src/storage/tables.ts'
import { writeRows } from '../../src/storage/write-rows.ts'
import { setPriceWithin } from '../catalogue/catalogue-writes.ts'
import { runs } from '../depth.ts'
import { careParts } from './care-catalogue.ts'

type Write = (tx: Tx, record: (change: NewChange) => void) => Promise<unknown>

const [turnsMin, turnsMax] = [50, 100_000]
const roundsMax = runs(1, 2)
const writers = 4
/** A pause between writes, which leaves the server some CPU time. */
const pauseMs = 25
/** The range of ids that most changes pick from. */
const firstIds = 800
/** More changes than are applied in place. */
export const manyAtOnce = 2_100
/**
 * The manual of the initial watches. Together they exceed the buffers between server and client, so that a reader can
 * be slow.
 */
const longManual = randomBytes(8_000).toString('hex')

/** Runs writers until `isEnough` is set. */
export class WritersFixture {
  isEnough = false
  /** The last sequence, set once all writers have ended. */
  end: number | undefined
  readonly #database: Database
  #done = 0

  constructor(database: Database) {
    this.#database = database
  }

  async run(): Promise<void> {
    await Promise.all([...Array.from({ length: writers }, () => this.#write()), this.#writeMuch()])
    this.end = (await getHead(this.#database.reader)).sequence
  }

  async #write(): Promise<void> {
    for (let turn = 0; turn < turnsMax && !(this.isEnough && turn >= turnsMin); turn++) {
      await recordChanges(this.#database, clock, this.#someWrite())
      this.#done++
      await delay(pauseMs)
    }
  }

  #someWrite(): Write {
    const id = 1 + Math.floor(Math.random() * firstIds)
    const writes: Write[] = [
      (tx, record) => createOne(tx, record, 2, id),
      (tx, record) => deleteWatches(tx, record, [id]),
      (tx, record) => setPriceWithin({ tx, record, database: this.#database, clock }, id, somePrice()),
      (tx, record) => setPriceWithin({ tx, record, database: this.#database, clock }, id, somePrice()),
      (tx, record) => this.#update(tx, record, [id, id + 1, id + 2]),
      (tx, record) => createBrand(tx, clock, record, brandOf(`B${this.#done}-${id}`)),
    ]
    return writes[Math.floor(Math.random() * writes.length)] as Write
  }

  async #update(tx: Tx, record: (change: NewChange) => void, ids: number[]): Promise<void> {
    const rows = await readWatchesForUpdate(tx, ids)
    const parts = { tx, engine: this.#database.engine, clock, record, brandName: String, source: 'test' }
    const dial = JSON.stringify(`dial ${Math.random()}`)
    await updateWatches(
      parts,
      rows.map((row) => ({ row, next: { ...row, specs: `{"z": 1.50, "10":${dial}, "2":"${longManual}"}` } })),
    )
  }

  /** Makes the server rebuild its index: many changes at once, a renamed brand, two merged brands. */
  async #writeMuch(): Promise<void> {
    const database = this.#database
    for (let round = 1; round <= roundsMax && !(this.isEnough && round > 1); round++) {
      await createMany(database, manyAtOnce, 'none')
      const names = { addAliases: [], removeAliases: [] }
      await editBrand(careParts(database, clock), 2, { name: `Renamed ${round}`, ...names })
      await this.#merge(`merged-${round}`)
    }
  }

  async #merge(slug: string): Promise<void> {
    const database = this.#database
    await recordChanges(database, clock, async (tx, record) => {
      const brandId = await createBrand(tx, clock, record, brandOf(slug))
      for (let at = 0; at < 20; at++) await createOne(tx, record, brandId, at)
    })
    const { rows } = await BrandFinder.read(database.reader)
    const [from, into] = [rows.find((row) => row.slug === slug), rows.find(({ id }) => id === 3)]
    if (from === undefined || into === undefined) throw new Error('the brands to merge do not exist')
    await mergeBrands(careParts(database, clock), { from: [from], into })
  }
}

/** In one statement, as an import does: thousands of them would take longer than the rest of a test. */
export async function createMany(database: Database, count: number, manual = longManual): Promise<void> {
  await recordChanges(database, clock, async (tx, record) => {
    const updated_at = clock.now().toISOString()
    const ids = await reserveIds(database, tx, 'watches', count)
    const rows = Array.from(ids, (id, at) => {
      record({ type: 'watch.created', subjectId: id })
      const { specs, ...draft } = draftOf(1, at, manual)
      return watchValues({ ...draft, id, specs: JSON.stringify(specs), updated_at })
    })
    await writeRows(tx, database.engine, watchesRows, rows)
  })
}

function createOne(
  tx: Tx,
  record: (change: NewChange) => void,
  brand_id: number,
  at: number,
): Promise<number> {
  return createWatch(tx, clock, record, draftOf(brand_id, at), { date: '2026-03-01', source: 'test' })
}

function draftOf(brand_id: number, at: number, manual = 'none') {
  const specs = { dial_color: 'Blue "Ω"', manual, nested: { '}': ['{', '\\"'] } }
  const price = { retail_price_usd: null, current_market_price: null }
  return { brand_id, collection: 'C', reference_number: `R${at}`, specs, ...price }
}

const somePrice = () => ({
  retail_price_usd: Math.round(Math.random() * 1e6) / 100,
  current_market_price: null,
})

const brandOf = (slug: string) => ({
  name: `Brand ${slug}`,
  slug: slug.toLowerCase(),
  aliases: [],
  country: null,
  founded_year: null,
  website: null,
})
