// Collects what a run changes, without changing anything yet: new, updated and deleted watches, brands, lines of the
// price history, and the entries of the change log. `publish` then writes all of it in one transaction.

import { type NewChange, stagedChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import type { Database, Stage, StagedTable } from '../../storage/database.ts'
import type { BrandRow } from '../brands.ts'
import { type FieldChanges, findChanges, type WatchFields } from '../field-changes.ts'
import { type Price, priceOf } from '../prices.ts'
import { readWatches, stateOf, type WatchRow, watchColumns, watchesRows } from '../watches.ts'
import { NewIds } from './new-ids.ts'

/** How the run changes a watch: creates, updates or deletes it. */
type Kind = 'c' | 'u' | 'd'

/** A watch as the run will leave it. The columns of `before` and `after` are those that the run changes. */
export interface StagedWatch extends WatchRow {
  readonly staged?: {
    readonly kind: Kind
    readonly before_at: string | null
    readonly before: string | null
    readonly after: string | null
  }
}

export interface WatchCreation {
  readonly id: number
  readonly fields: WatchFields
  /** Undefined: the time of the publication. */
  readonly updatedAt?: string | undefined
}

export interface StagedUpdate {
  readonly row: StagedWatch
  readonly next: WatchFields
  /** What differs, if the caller has already found it. */
  readonly changes?: FieldChanges
  /** Undefined: the time of the publication. An undo sets the time that the watch had. */
  readonly updatedAt?: string | undefined
}

/** A line of the price history. */
export interface StagedLine extends Price {
  readonly watchId: number
  readonly date: string
  readonly source: string
}

export interface BrandChange {
  /** Undefined: the brand is new. */
  readonly before: BrandRow | undefined
  /** An empty `updated_at` stands for the time of the publication. */
  readonly after: BrandRow
}

export type Values = (string | number | null)[]

const stagedColumns = {
  ...watchesRows.columns,
  kind: 'text',
  before_at: 'text',
  before: 'text',
  after: 'text',
} as const

const stagedWatches = {
  table: 'staged_watches',
  columns: stagedColumns,
  key: 'id',
  onConflict: `on conflict (id) do update set ${Object.keys(stagedColumns)
    .filter((column) => column !== 'id')
    .map((column) => `${column} = excluded.${column}`)
    .join()}`,
} as const satisfies StagedTable

const stagedPrices = {
  table: 'staged_prices',
  columns: {
    watch_id: 'bigint',
    date: 'text',
    retail_price_usd: 'double precision',
    current_market_price: 'double precision',
    source: 'text',
    is_removed: 'integer',
  },
  key: 'watch_id, date',
  onConflict: `on conflict (watch_id, date) do update set retail_price_usd = excluded.retail_price_usd,
    current_market_price = excluded.current_market_price, source = excluded.source, is_removed = excluded.is_removed`,
} as const satisfies StagedTable

/** Entries of the journal of a run that its undo leaves. The day is empty for a watch. */
const stagedLeft = {
  table: 'staged_left',
  columns: { step: 'integer', watch_id: 'bigint', date: 'text' },
  key: 'step, watch_id, date',
  onConflict: 'on conflict (step, watch_id, date) do nothing',
} as const satisfies StagedTable

/** Times of watches that later runs found, and that are not to come back, with those that were before them. */
const stagedTimes = {
  table: 'staged_times',
  columns: { watch_id: 'bigint', from_at: 'text', to_at: 'text' },
  key: 'watch_id',
  // The steps of a run come last first. A step that was left in between stays between the times.
  onConflict: `on conflict (watch_id) do update set to_at = excluded.to_at where to_at = excluded.from_at`,
} as const satisfies StagedTable

/** Prices that later lines of the history repeat, and what they become. */
const stagedRepeats = {
  table: 'staged_repeats',
  columns: {
    watch_id: 'bigint',
    date: 'text',
    field: 'text',
    from_price: 'double precision',
    to_price: 'double precision',
  },
  key: 'watch_id, date, field',
  onConflict: 'on conflict (watch_id, date, field) do update set to_price = excluded.to_price',
} as const satisfies StagedTable

/** A staged line, or one that is to be removed. */
interface StagedPrice extends Price {
  readonly source: string
  readonly is_removed: number
}

/** A later line that repeats prices of a run, and what it becomes without them. */
export interface Repeat {
  readonly line: StagedLine
  readonly next: StagedLine
}

export interface LeftEntry {
  readonly step: number
  readonly watchId: number
  readonly date?: string
}

export class StagedRun {
  readonly database: Database
  readonly clock: Clock
  readonly stage: Stage
  readonly watchIds: NewIds
  readonly brandIds: NewIds
  readonly counts: Record<Kind, number> = { c: 0, u: 0, d: 0 }
  /** Lines of the price history to be written. */
  lineCount = 0
  removedLines = 0
  /** Prices of later lines that go with those of the run. */
  repeatCount = 0
  changeCount = 0
  /** In the order in which they are changed. */
  brands: BrandChange[] = []
  /** Brands that are deleted if no watch is of them after the publication. */
  unusedBrands: number[] = []

  constructor(database: Database, clock: Clock, isDryRun = false) {
    this.database = database
    this.clock = clock
    this.stage = database.stage([
      stagedWatches,
      stagedPrices,
      stagedChanges,
      stagedLeft,
      stagedTimes,
      stagedRepeats,
    ])
    this.watchIds = new NewIds(database, 'watches', isDryRun)
    this.brandIds = new NewIds(database, 'brands', isDryRun)
  }

  /** Whether nothing has been staged since the last publication. */
  get isEmpty(): boolean {
    const { c, u, d } = this.counts
    return (
      c + u + d + this.lineCount + this.removedLines + this.brands.length + this.unusedBrands.length === 0
    )
  }

  /** Reads watches as the run leaves them, in order of id. Deleted ones are left out. */
  async readWatches(ids: readonly number[]): Promise<StagedWatch[]> {
    if (ids.length === 0) return []
    const rows = await readWatches(this.database.reader, ids)
    const { c, u, d } = this.counts
    if (c + u + d === 0) return rows
    const staged = new Map(this.#findStaged(ids).map((row) => [row.id, row]))
    if (staged.size === 0) return rows
    const all = new Map<number, StagedWatch>(rows.map((row) => [row.id, row]))
    for (const row of staged.values()) all.set(row.id, row)
    return [...all.values()]
      .filter(({ staged: how }) => how?.kind !== 'd')
      .sort((one, other) => one.id - other.id)
  }

  create(creations: readonly WatchCreation[]): void {
    const rows = creations.map(({ id, fields, updatedAt = null }): Values => {
      const { brand_id, collection, reference_number, retail_price_usd, current_market_price, specs } = fields
      const values = [brand_id, collection, reference_number, retail_price_usd, current_market_price, specs]
      return [id, ...values, updatedAt, 'c', null, null, null]
    })
    this.stage.add(stagedWatches, rows)
    this.counts.c += creations.length
    this.log(creations.map(({ id }) => ({ type: 'watch.created', subjectId: id })))
  }

  /**
   * Stages the updates that change something. In the log a new price is a change of its own, so that callers that follow
   * prices miss none; all other changes of a watch are one entry.
   */
  update(updates: readonly StagedUpdate[], brandName: (id: number) => string): void {
    const rows: Values[] = []
    const log: NewChange[] = []
    for (const { row, next, updatedAt, changes = findChanges(row, next, brandName) } of updates) {
      const isMoved = updatedAt !== undefined && updatedAt !== row.updated_at
      // The order of specs may have changed without any of their values.
      if (changes === undefined && !isMoved && row.specs === next.specs) continue
      rows.push(this.#updated(row, next, updatedAt))
      if (changes === undefined || Object.keys(changes.fields).length > 0) {
        log.push({ type: 'watch.updated', subjectId: row.id, data: { changes: changes?.fields ?? {} } })
      }
      if (changes?.hasNewPrice) {
        // The publication fills in its time.
        const data = { old: priceOf(row), new: priceOf(next), updated_at: updatedAt ?? null }
        log.push({ type: 'watch.price_changed', subjectId: row.id, data })
      }
    }
    this.stage.add(stagedWatches, rows)
    this.log(log)
  }

  delete(rows: readonly StagedWatch[], brandName: (id: number) => string): void {
    const values = rows.map(({ staged, ...row }): Values => {
      const columns = watchColumns.map((column) => row[column])
      if (staged?.kind === 'u') this.counts.u--
      return [...columns, 'd', staged?.before_at ?? row.updated_at, JSON.stringify(row), null]
    })
    this.stage.add(stagedWatches, values)
    this.counts.d += rows.length
    this.log(
      rows.map((row) => {
        const data = { last: stateOf(row, brandName(row.brand_id)) }
        return { type: 'watch.deleted', subjectId: row.id, data }
      }),
    )
  }

  addLines(lines: readonly StagedLine[]): void {
    const rows = lines.map((line): Values => {
      const { watchId, date, retail_price_usd, current_market_price, source } = line
      return [watchId, date, retail_price_usd, current_market_price, source, 0]
    })
    this.stage.add(stagedPrices, rows)
    this.lineCount += lines.length
  }

  removeLines(lines: readonly { readonly watchId: number; readonly date: string }[]): void {
    this.stage.add(
      stagedPrices,
      lines.map(({ watchId, date }) => [watchId, date, null, null, '', 1]),
    )
    this.removedLines += lines.length
  }

  /** Keeps entries in the journal of the run that this run undoes. */
  leave(entries: readonly LeftEntry[]): void {
    this.stage.add(
      stagedLeft,
      entries.map(({ step, watchId, date = '' }) => [step, watchId, date]),
    )
  }

  /** The journals of later runs get `to` as the time that the watch had before them, in place of `from`. */
  skipTime({ watchId, from, to }: { watchId: number; from: string; to: string }): void {
    this.stage.add(stagedTimes, [[watchId, from, to]])
  }

  /** The lines of these watches that are staged, by watch and day. */
  findLines(ids: readonly number[]): ReadonlyMap<string, StagedPrice> {
    const rows = this.stage.find(`select * from staged_prices where watch_id in (${ids.map(() => '?')})`, ids)
    return new Map(rows.map((row) => [`${row.watch_id} ${row.date}`, row as unknown as StagedPrice]))
  }

  /** The journals of later runs get `next` for what they found and left in these lines. */
  takeBack(repeats: readonly Repeat[]): void {
    this.addLines(repeats.map(({ next }) => next))
    const rows = repeats.flatMap(({ line, next }) =>
      (['retail_price_usd', 'current_market_price'] as const)
        .filter((field) => line[field] !== next[field])
        .map((field): Values => [line.watchId, line.date, field, line[field], next[field]]),
    )
    this.stage.add(stagedRepeats, rows)
    this.repeatCount += rows.length
  }

  /** How many lines of the price history are to be removed from each of these watches. */
  countRemovedLines(ids: readonly number[]): ReadonlyMap<number, number> {
    const rows = this.stage.find(
      `select watch_id, count(*) as count from staged_prices
        where is_removed = 1 and watch_id in (${ids.map(() => '?')}) group by watch_id`,
      ids,
    )
    return new Map(rows.map(({ watch_id, count }) => [Number(watch_id), Number(count)]))
  }

  changeBrands(brands: readonly BrandChange[], log: readonly NewChange[]): void {
    this.brands.push(...brands)
    this.log(log)
  }

  log(changes: readonly NewChange[]): void {
    const rows = changes.map(({ type, subjectId, data }, at): Values => {
      return [this.changeCount + at + 1, type, subjectId, data === undefined ? null : JSON.stringify(data)]
    })
    this.stage.add(stagedChanges, rows)
    this.changeCount += changes.length
  }

  /** Forgets what was staged: it is published. */
  clear(): void {
    this.stage.clear()
    this.counts.c = this.counts.u = this.counts.d = 0
    this.lineCount = this.removedLines = this.repeatCount = this.changeCount = 0
    this.brands = []
    this.unusedBrands = []
  }

  close(): void {
    this.stage.close()
  }

  #updated(row: StagedWatch, next: WatchFields, updatedAt: string | undefined): Values {
    const { staged } = row
    const kind = staged?.kind ?? 'u'
    const values = watchColumns.map((column) =>
      column === 'id' ? row.id : column === 'updated_at' ? (updatedAt ?? null) : next[column],
    )
    if (kind === 'c') return [...values, kind, null, null, null]
    if (staged === undefined) this.counts.u++
    const changed = watchColumns.filter(
      (column) => column !== 'id' && column !== 'updated_at' && row[column] !== next[column],
    )
    const columnsOf = (fields: WatchFields) =>
      Object.fromEntries(changed.map((column) => [column, fields[column as keyof WatchFields]]))
    const before_at = staged?.before_at ?? row.updated_at
    // An earlier file of the run may have changed the watch: what was before that is what was before the run.
    const before = { ...columnsOf(row), updated_at: before_at, ...parsed(staged?.before) }
    const after = { ...parsed(staged?.after), ...columnsOf(next) }
    return [...values, kind, before_at, JSON.stringify(before), JSON.stringify(after)]
  }

  #findStaged(ids: readonly number[]): StagedWatch[] {
    const rows = this.stage.find(`select * from staged_watches where id in (${ids.map(() => '?')})`, ids)
    return rows.map(({ kind, before_at, before, after, updated_at, ...row }) => {
      const staged = { kind, before_at, before, after }
      return { ...row, updated_at: updated_at ?? '', staged } as unknown as StagedWatch
    })
  }
}

function parsed(json: string | null | undefined): object {
  return json === null || json === undefined ? {} : JSON.parse(json)
}
