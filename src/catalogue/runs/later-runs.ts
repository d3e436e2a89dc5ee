// Finds what later runs changed of what a run had written, as far as they are not undone themselves. An undo leaves it:
// the undo of the later run must find what that run has left.
import { type RawBuilder, sql } from 'kysely'
import type { Database, Reader } from '../../storage/database.ts'
import type { JournalPrice, JournalWatch } from './journal.ts'
import { changedFields } from './restore-watch.ts'
import { findRun } from './run-log.ts'

/** What later runs changed of a watch. */
export interface LaterChange {
  readonly fields: Set<string>
  /** Whether one created or deleted it, or added lines to its price history. */
  isWhole: boolean
}

export const priceKinds = ['retail', 'market'] as const
export type PriceKind = (typeof priceKinds)[number]
/** Prices of a line that later runs have changed, or the whole line. */
export type KeptPrices = ReadonlySet<PriceKind> | 'whole'

export class LaterRuns {
  /** Oldest first. After these are undone, more of the run can be undone. */
  readonly standing: readonly number[]
  /** Whether a later run has imported prices. */
  readonly havePrices: boolean
  /** Undone as far as possible: the rest was changed by something else than a run. */
  readonly #part: readonly number[]
  /** Brands that they changed. */
  readonly brands: ReadonlySet<number>
  /** Brands of the watches that the undo of a later run creates again, or gives back their brand. */
  readonly neededBrands: ReadonlySet<number>
  readonly #reader: Reader

  private constructor(reader: Reader, { standing, part, brands, neededBrands, havePrices }: Found) {
    this.havePrices = havePrices
    this.#reader = reader
    this.standing = standing
    this.#part = part
    this.brands = brands
    this.neededBrands = neededBrands
  }

  /** Reads in one transaction: over a million watches it takes longer than other reads may. */
  static async find({ snapshot, reader, engine }: Database, id: number): Promise<LaterRuns> {
    const found = await snapshot(async (view) => {
      const [standing, part] = await findRuns(view, id)
      const brands = await findBrands(view, id, standing)
      const neededBrands = await findNeededBrands(view, engine, id)
      return { standing, part, brands, neededBrands, havePrices: await hasPriceRun(view, id) }
    })
    return new LaterRuns(reader, found)
  }

  /** By watch. */
  async findWatches(page: readonly JournalWatch[]): Promise<ReadonlyMap<number, LaterChange>> {
    const changes = new Map<number, LaterChange>()
    if (this.#all.length === 0) return changes
    const changeOf = (id: number) =>
      changes.getOrInsertComputed(id, () => ({ fields: new Set<string>(), isWhole: false }))
    for (const { run_id, watch_id, before, after, after_at } of await this.#readWatches(page)) {
      const isDeleted = after_at === null
      // A watch that is not there now will be again if the rest of the later run is undone.
      if (!isDeleted && !this.standing.includes(run_id)) continue
      const change = changeOf(watch_id)
      if (isDeleted || before === null || after === null) change.isWhole = true
      else for (const field of changedFields(JSON.parse(before), JSON.parse(after))) change.fields.add(field)
    }
    const made = page.filter(({ before }) => before === null).map(({ watch_id }) => watch_id)
    for (const { watch_id, run_id } of await this.#readPrices(made))
      if (this.standing.includes(run_id)) changeOf(watch_id).isWhole = true
    return changes
  }

  /** Finds the lines that later runs have changed, and what they have changed of them. */
  async findKept(page: readonly JournalPrice[]): Promise<ReadonlyMap<JournalPrice, KeptPrices>> {
    const rows = await this.#readPrices(page.map(({ watch_id }) => watch_id))
    const changes = new Map<string, Set<PriceKind> | 'whole'>()
    for (const row of rows) {
      const { run_id, watch_id, date, before_source, after_source } = row
      // A line that is not there now will be again if the rest of the later run is undone.
      if (after_source !== null && !this.standing.includes(run_id)) continue
      const place = `${watch_id} ${date}`
      const known = changes.get(place) ?? new Set()
      const kinds = priceKinds.filter((kind) => row[`before_${kind}`] !== row[`after_${kind}`])
      // A file of prices that has changed only the source has said both prices itself.
      const isWhole = before_source === null || after_source === null || kinds.length === 0
      changes.set(place, isWhole || known === 'whole' ? 'whole' : known.union(new Set(kinds)))
    }
    return new Map(
      page.flatMap((line) => {
        const kept = changes.get(`${line.watch_id} ${line.date}`)
        return kept === undefined ? [] : [[line, kept]]
      }),
    )
  }

  get #all(): readonly number[] {
    return [...this.standing, ...this.#part]
  }

  #readWatches(page: readonly JournalWatch[]) {
    const ids = page.map(({ watch_id }) => watch_id)
    return this.#reader
      .selectFrom('run_watches')
      .select(['run_id', 'watch_id', 'before', 'after', 'after_at'])
      .where('watch_id', 'in', ids)
      .where('run_id', 'in', this.#all)
      .execute()
  }

  async #readPrices(watches: readonly number[]) {
    if (this.#all.length === 0 || watches.length === 0) return []
    return this.#reader
      .selectFrom('run_prices')
      .selectAll()
      .where('watch_id', 'in', [...new Set(watches)])
      .where('run_id', 'in', this.#all)
      .execute()
  }
}

interface Found {
  readonly standing: readonly number[]
  readonly part: readonly number[]
  readonly brands: ReadonlySet<number>
  readonly neededBrands: ReadonlySet<number>
  readonly havePrices: boolean
}

async function hasPriceRun(view: Reader, id: number): Promise<boolean> {
  const query = view.selectFrom('runs').select('id').where('id', '>', id).where('kind', '=', 'prices')
  return (await query.where('undone_by', 'is', null).limit(1).executeTakeFirst()) !== undefined
}

async function findRuns(view: Reader, id: number): Promise<readonly [standing: number[], part: number[]]> {
  const shares = (mine: RawBuilder<unknown>, theirs: RawBuilder<unknown>) =>
    sql`exists (select 1 from ${theirs} as theirs join ${mine} as mine on mine.run_id = ${id}
      and mine.watch_id = theirs.watch_id where theirs.run_id = runs.id`
  const [watches, prices] = [sql`run_watches`, sql`run_prices`]
  const found = await sql<{ id: number }>`select id from runs where id > ${id} and undone_by is null and (
    ${shares(watches, watches)})
    or ${shares(watches, prices)} and mine.before is null)
    or ${shares(prices, prices)} and mine.date = theirs.date)
    or exists (select 1 from run_brands as theirs where theirs.run_id = runs.id
      and brand_id in (select brand_id from run_brands where run_id = ${id}))) order by id`.execute(view)
  const [standing, part]: [number[], number[]] = [[], []]
  for (const row of found.rows) {
    const { partlyUndoneBy, isLeftForLater } = (await findRun(view, Number(row.id)))?.details ?? {}
    const isPart = partlyUndoneBy !== undefined && !isLeftForLater
    ;(isPart ? part : standing).push(Number(row.id))
  }
  return [standing, part]
}

async function findBrands(
  view: Reader,
  id: number,
  standing: readonly number[],
): Promise<ReadonlySet<number>> {
  if (standing.length === 0) return new Set()
  const rows = await view
    .selectFrom('run_brands')
    .select('brand_id')
    .distinct()
    .where('run_id', 'in', standing)
    .where('brand_id', 'in', ({ selectFrom }) =>
      selectFrom('run_brands').select('brand_id').where('run_id', '=', id),
    )
    .execute()
  return new Set(rows.map(({ brand_id }) => brand_id))
}

async function findNeededBrands(
  view: Reader,
  engine: Database['engine'],
  id: number,
): Promise<ReadonlySet<number>> {
  const brand = sql`${sql.raw(engine === 'sqlite' ? 'before' : 'before::json')} ->> 'brand_id'`
  const query = sql<{ brand: string | number | null }>`select distinct ${brand} as brand from run_watches
    where run_id > ${id} and before is not null
      and run_id in (select id from runs where undone_by is null)
      and exists (select 1 from run_brands where run_id = ${id} and before is null)`
  const { rows } = await query.execute(view)
  return new Set(rows.flatMap(({ brand }) => (brand === null ? [] : [Number(brand)])))
}
