// Undoes a run: restores every watch, price and brand that the run changed, except where something has changed it since.
// The undo is a run itself, and visible all at once, as ordinary changes.
import { Failure } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { type BrandRow, readBrands } from '../brands.ts'
import { BrandFinder } from '../find-brand.ts'
import type { WatchRow } from '../watches.ts'
import { Journal, type JournalPrice, type JournalWatch } from './journal.ts'
import { findLaterRuns, type LaterChanges, readLaterChanges, readLaterFields } from './later-runs.ts'
import { OpenRun, type RunParts } from './open-run.ts'
import { type Columns, restoreWatch } from './restore-watch.ts'
import { findRun, markUndone } from './run-log.ts'
import type { StagedRun, StagedUpdate } from './staged-run.ts'
import { undoPrices } from './undo-prices.ts'

/** Something that the undo leaves as it is, because it was changed after the run. */
interface LeftAlone {
  /** Brand and reference of the watch, or the name of the brand. */
  readonly what: string
  readonly id: number
  readonly why: string
}

export interface UndoSummary {
  /** The run of the undo; undefined in a dry run. */
  readonly run: number | undefined
  readonly undoes: number
  /** Watches that have again what they had before. */
  readonly restored: number
  /** Watches that the run created, and that are deleted again. */
  readonly deleted: number
  /** Watches that the run deleted, and that are there again. */
  readonly recreated: number
  /** Lines of the price history. */
  readonly prices: number
  readonly brands: number
  /** Brands that the run created, and that stay because watches are of them. */
  readonly brands_kept: number
  /** How much was left alone: the run can be undone again for the rest. */
  readonly left: number
  /** Runs that changed some of it later, and are not undone: after them, the rest can be. */
  readonly later_runs: readonly number[]
  /** The first of them. */
  readonly leftAlone: readonly LeftAlone[]
}

export interface UndoOptions {
  readonly isDryRun: boolean
  readonly onProgress: (done: number, whole: number) => void
}

const toldMax = 1_000

/** Call it under the catalogue lock, unless it is a dry run. */
export async function undoRun(parts: RunParts, id: number, options: UndoOptions): Promise<UndoSummary> {
  const { reader } = parts.database
  await requireUndoable(reader, id)
  const laterRuns = await findLaterRuns(reader, id)
  const standing = laterRuns.filter(({ isPart }) => !isPart).map((run) => run.id)
  const journal = new Journal(reader, id)
  const run = await OpenRun.begin(parts, 'undo', options.isDryRun)
  try {
    const undo = new Undo({
      reader,
      staged: run.staged,
      journal,
      brands: await BrandFinder.read(reader),
      later: await readLaterChanges(parts.database, id, laterRuns),
      laterRuns: standing,
      onProgress: options.onProgress,
    })
    await undo.stage()
    const { counts } = undo
    await run.done({ undoes: id, counts }, async (tx, deleted) => {
      const used = undo.keepUsed(deleted)
      const isPart = counts.left + used.length > 0
      if (isPart) await journal.keepLeft(tx, [...undo.leftBrands, ...used])
      if (standing.length > 0) await journal.expectNewTimes(tx)
      await markUndone(tx, id, run.id as number, isPart ? { isLeftForLater: standing.length > 0 } : undefined)
    })
    return { run: run.id, undoes: id, ...counts, later_runs: standing, leftAlone: undo.leftAlone }
  } catch (error) {
    await run.failed(error, { undoes: id })
    throw error
  } finally {
    run.close()
  }
}

async function requireUndoable(reader: Reader, id: number): Promise<void> {
  const run = await findRun(reader, id)
  if (run === undefined)
    throw new Failure(`There is no run ${id}: \`watchdata imports list\` shows the runs.`)
  if (run.kind === 'undo')
    throw new Failure(`Run ${id} is an undo, which cannot be undone: import the file again.`)
  if (run.undone_by !== null) throw new Failure(`Run ${id} is already undone, by run ${run.undone_by}.`)
  if ((await new Journal(reader, id).lastStep()) > 0) return
  const { counts = {}, batches = 0 } = run.details
  const hasMade = ['created', 'updated', 'deleted', 'added', 'changed'].some(
    (name) => (counts[name] ?? 0) > 0,
  )
  throw new Failure(
    batches > 0 || (run.state === 'done' && hasMade)
      ? `Run ${id} is too old to be undone: what was before it is no longer kept.`
      : `Run ${id} changed nothing.`,
  )
}

/** What the run changed in a watch. */
interface WatchChange {
  readonly before: Columns
  readonly after: Columns
  readonly afterAt: string
}

interface UndoParts extends Pick<UndoOptions, 'onProgress'> {
  readonly reader: Reader
  readonly staged: StagedRun
  readonly journal: Journal
  readonly brands: BrandFinder
  readonly later: LaterChanges
  readonly laterRuns: readonly number[]
}

class Undo {
  readonly counts = { restored: 0, deleted: 0, recreated: 0, prices: 0, brands: 0, brands_kept: 0, left: 0 }
  readonly leftAlone: LeftAlone[] = []
  /** Brands whose entries stay in the journal. */
  readonly leftBrands: number[] = []
  /** Brands that the run created. They are deleted if no watch is of them. */
  readonly #madeBrands: number[] = []
  readonly #reader: Reader
  readonly #staged: StagedRun
  readonly #journal: Journal
  readonly #brands: BrandFinder
  readonly #later: LaterChanges
  readonly #laterRuns: readonly number[]
  readonly #onProgress: UndoOptions['onProgress']
  #step = 0
  #brandCount = 0

  constructor({ reader, staged, journal, brands, later, laterRuns, onProgress }: UndoParts) {
    this.#reader = reader
    this.#staged = staged
    this.#journal = journal
    this.#brands = brands
    this.#later = later
    this.#laterRuns = laterRuns
    this.#onProgress = onProgress
  }

  async stage(): Promise<void> {
    const whole = await this.#journal.countWatches()
    let done = 0
    // The last transaction of the run comes first: what it found is what the one before it left.
    const lastStep = await this.#journal.lastStep()
    for (let step = lastStep; step > 0; step--) {
      this.#step = step
      for await (const page of this.#journal.watches(step)) {
        await this.#undoWatches(page)
        done += page.length
        this.#onProgress(done, whole)
      }
      for await (const page of this.#journal.prices(step)) {
        const isLater = ({ watch_id, date }: JournalPrice) => this.#later.lines.has(`${watch_id} ${date}`)
        const mine = page.filter((line) => !isLater(line))
        const { undone, others, ofNoWatch } = await undoPrices(this.#staged, mine, step === lastStep)
        this.counts.prices += undone
        await this.#leavePrices(others, 'was changed since')
        await this.#leavePrices(page.filter(isLater), 'was changed by a later run')
        this.#keep(ofNoWatch)
      }
      await this.#undoBrands(step)
    }
  }

  /** Counts and returns the brands that were not deleted, because watches are of them. */
  keepUsed(deleted: readonly number[]): readonly number[] {
    const used = this.#madeBrands.filter((id) => !deleted.includes(id))
    this.counts.brands = this.#brandCount - used.length
    this.counts.brands_kept = used.length
    return used
  }

  async #undoWatches(page: readonly JournalWatch[]): Promise<void> {
    const rows = new Map(
      (await this.#staged.readWatches(page.map(({ watch_id }) => watch_id))).map((row) => [row.id, row]),
    )
    const shared = page.map(({ watch_id }) => watch_id).filter((id) => this.#later.watches.has(id))
    const laterFields = await readLaterFields(this.#reader, this.#laterRuns, shared)
    const updates: StagedUpdate[] = []
    const unwanted: WatchRow[] = []
    const lost: WatchRow[] = []
    for (const { watch_id: id, before, after, after_at } of page) {
      const row = rows.get(id)
      const isLater = this.#later.watches.has(id)
      // Only a watch that was there before, and is there now, can be restored in part.
      if (isLater && (row === undefined || before === null || after_at === null)) {
        const what = row === undefined ? `watch ${id}` : this.#nameOf(row)
        this.#leaveWatch(what, id, 'was changed by a later run')
      } else if (after_at === null) lost.push(JSON.parse(before as string))
      else if (row === undefined) {
        if (before !== null) this.#leaveWatch(`watch ${id}`, id, 'was deleted since')
      } else if (before === null) {
        if (row.updated_at === after_at) unwanted.push(row)
        else this.#leaveWatch(this.#nameOf(row), id, 'was changed since, and stays')
      } else {
        const change = { before: JSON.parse(before), after: JSON.parse(after ?? '{}'), afterAt: after_at }
        const update = this.#restored(row, change, laterFields.get(id))
        if (update !== undefined) updates.push(update)
      }
    }
    const name = (brand: number) => this.#brands.name(brand)
    const deleted = await this.#withoutPriced(unwanted)
    this.#staged.update(updates, name)
    this.#staged.delete(deleted, name)
    this.counts.restored += updates.length
    this.counts.deleted += deleted.length
    await this.#recreate(lost)
  }

  /** Leaves watches to which prices were added after the run: these prices would be deleted with them. */
  async #withoutPriced(rows: readonly WatchRow[]): Promise<readonly WatchRow[]> {
    if (rows.length === 0) return rows
    const priced = await this.#reader
      .selectFrom('prices')
      .select('watch_id')
      .where(
        'watch_id',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('watch_id')
      // A run gives a new watch one line.
      .having(({ fn }) => fn.countAll(), '>', 1)
      .execute()
    const ids = new Set(priced.map(({ watch_id }) => watch_id))
    for (const row of rows)
      if (ids.has(row.id)) this.#leaveWatch(this.#nameOf(row), row.id, 'has more prices since, and stays')
    return rows.filter(({ id }) => !ids.has(id))
  }

  #restored(
    row: WatchRow,
    { before, after, afterAt }: WatchChange,
    kept: ReadonlySet<string> | undefined,
  ): StagedUpdate | undefined {
    const { next, left } = restoreWatch(row, before, after, kept)
    if (this.#brands.findById(next.brand_id) === undefined) {
      this.#leaveWatch(this.#nameOf(row), row.id, 'its former brand is deleted')
      return undefined
    }
    if (left.length > 0)
      this.#leaveWatch(this.#nameOf(row), row.id, `changed since, and left: ${left.join(', ')}`)
    const fields = Object.keys(next) as (keyof typeof next)[]
    if (left.length > 0 && fields.every((field) => next[field] === row[field])) return undefined
    // If nothing else happened to the watch, it is what it was, with the time of its last change.
    const updatedAt = row.updated_at === afterAt ? before.updated_at : undefined
    return { row, next, updatedAt }
  }

  /** Creates the watches again that the run deleted, with their ids. */
  async #recreate(rows: readonly WatchRow[]): Promise<void> {
    if (rows.length === 0) return
    const taken = await this.#findTaken(rows)
    const wanted = rows.filter((row) => {
      const isTaken = taken.has(`${row.brand_id} ${row.reference_number}`)
      const hasBrand = this.#brands.findById(row.brand_id) !== undefined
      if (isTaken) this.#leaveWatch(this.#nameOf(row), row.id, 'is in the catalogue again')
      else if (!hasBrand) this.#leaveWatch(row.reference_number, row.id, 'its brand is deleted')
      return !isTaken && hasBrand
    })
    this.#staged.create(
      wanted.map(({ id, updated_at, ...fields }) => ({ id, fields, updatedAt: updated_at })),
    )
    this.counts.recreated += wanted.length
  }

  /** Brand and reference of the watches that exist now. */
  async #findTaken(rows: readonly WatchRow[]): Promise<ReadonlySet<string>> {
    const references = [...new Set(rows.map(({ reference_number }) => reference_number))].filter(
      (one) => one !== '',
    )
    if (references.length === 0) return new Set()
    const found = await this.#reader
      .selectFrom('watches')
      .select(['brand_id', 'reference_number'])
      .where('brand_id', 'in', [...new Set(rows.map(({ brand_id }) => brand_id))])
      .where('reference_number', 'in', references)
      .execute()
    return new Set(found.map(({ brand_id, reference_number }) => `${brand_id} ${reference_number}`))
  }

  async #leavePrices(lines: readonly JournalPrice[], why: string): Promise<void> {
    if (lines.length === 0) return
    this.#keep(lines)
    const rows = await this.#staged.readWatches(lines.map(({ watch_id }) => watch_id))
    const watches = new Map(rows.map((row) => [row.id, row]))
    for (const { watch_id: id, date } of lines) {
      const row = watches.get(id)
      this.#leave(row === undefined ? `watch ${id}` : this.#nameOf(row), id, `its price of ${date} ${why}`)
    }
  }

  /** Keeps lines of the price history in the journal. */
  #keep(lines: readonly JournalPrice[]): void {
    this.#staged.leave(lines.map(({ watch_id, date }) => ({ step: this.#step, watchId: watch_id, date })))
  }

  async #undoBrands(step: number): Promise<void> {
    const journal = await this.#journal.brands(step)
    if (journal.length === 0) return
    const rows = new Map((await readBrands(this.#reader)).map((row) => [row.id, row]))
    for (const { brand_id: id, before, after } of journal) {
      const row = rows.get(id)
      const made = JSON.parse(after) as BrandRow
      if (row === undefined) continue
      if (this.#later.brands.has(id)) this.#leaveBrand(row, 'was changed by a later run')
      else if (row.updated_at !== made.updated_at) this.#leaveBrand(row, 'was changed since, and stays')
      else {
        this.counts.brands = ++this.#brandCount
        if (before === null) {
          this.#madeBrands.push(id)
          if (!this.#later.neededBrands.has(id)) this.#staged.unusedBrands.push(id)
        } else this.#restoreBrand(row, JSON.parse(before))
      }
    }
  }

  #restoreBrand(row: BrandRow, before: BrandRow): void {
    const fields = (Object.keys(before) as (keyof BrandRow)[]).filter((field) => field !== 'updated_at')
    const fieldOf = (brand: BrandRow, field: keyof BrandRow) =>
      field === 'aliases' ? JSON.parse(brand.aliases) : brand[field]
    const changes = Object.fromEntries(
      fields
        .filter((field) => row[field] !== before[field])
        .map((field) => [field, { old: fieldOf(row, field), new: fieldOf(before, field) }]),
    )
    const change = { type: 'brand.updated', subjectId: row.id, data: { changes } } as const
    this.#staged.changeBrands([{ before: row, after: before }], [change])
  }

  #leaveWatch(what: string, id: number, why: string): void {
    this.#staged.leave([{ step: this.#step, watchId: id }])
    this.#leave(what, id, why)
  }

  #leaveBrand({ name, id }: BrandRow, why: string): void {
    this.leftBrands.push(id)
    this.#leave(name, id, why)
  }

  #leave(what: string, id: number, why: string): void {
    this.counts.left++
    if (this.leftAlone.length < toldMax) this.leftAlone.push({ what, id, why })
  }

  #nameOf({ brand_id, reference_number, id }: WatchRow): string {
    const brand = this.#brands.findById(brand_id)?.name ?? `brand ${brand_id}`
    return `${brand} ${reference_number || `(watch ${id})`}`
  }
}
