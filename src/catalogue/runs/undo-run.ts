// Undoes a run: restores every watch, price and brand that the run changed, except where something has changed it since.
// The undo is a run itself, and visible all at once, as ordinary changes.
import { Failure } from '../../errors.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { BrandFinder } from '../find-brand.ts'
import { Journal } from './journal.ts'
import { LaterRuns } from './later-runs.ts'
import { type Left, LeftAlone } from './left-alone.ts'
import { OpenRun, type RunParts } from './open-run.ts'
import { findRun, findWaiting, hasJournal, markUndone, type Run } from './run-log.ts'
import { undoBrands } from './undo-brands.ts'
import { undoPrices } from './undo-prices.ts'
import { nameOf, recreateWatches, restoreWatches } from './undo-watches.ts'
import type { UndoCounts, Undoing } from './undoing.ts'

export interface UndoSummary extends Readonly<UndoCounts> {
  /** The run of the undo; undefined in a dry run. */
  readonly run: number | undefined
  readonly undoes: number
  /** How much was left alone: the run can be undone again for the rest. */
  readonly left: number
  /** Runs that changed some of it later, and are not undone: after them, the rest can be. */
  readonly later_runs: readonly number[]
  /** The newest run before this one of which a part was left for later, if no other run stands in its way now. */
  readonly waiting: readonly number[]
  /** The first of what was left alone. */
  readonly leftAlone: readonly Left[]
}

export interface UndoOptions {
  readonly isDryRun: boolean
  readonly onProgress: (done: number, whole: number) => void
}

type UndoParts = Omit<RunParts, 'known'>

/** Call it under the catalogue lock, unless it is a dry run. */
export async function undoRun(parts: UndoParts, id: number, options: UndoOptions): Promise<UndoSummary> {
  const { database } = parts
  const { reader } = database
  const { started_at: startedAt } = await getUndoable(reader, id)
  const journal = new Journal(reader, id)
  const run = await OpenRun.begin({ ...parts, known: { undoes: id } }, 'undo', options.isDryRun)
  try {
    const { staged } = run
    const later = await LaterRuns.find(database, id)
    const left = new LeftAlone(staged)
    const counts = { restored: 0, deleted: 0, recreated: 0, prices: 0, brands: 0, brands_kept: 0 }
    const brands = await BrandFinder.read(reader)
    const undoing: Undoing = {
      runId: id,
      startedAt,
      reader,
      staged,
      journal,
      brands,
      later,
      left,
      sayingRuns: new Set(),
      counts,
    }
    const madeBrands = await stageUndo(undoing, options.onProgress)
    const laterRuns = [...undoing.sayingRuns.union(new Set(later.standing))].sort((one, other) => one - other)
    const details = { undoes: id, counts: { ...counts, left: left.count } }
    await run.done(details, async (tx, deleted) => {
      if (!(await hasJournal(tx, id))) throw tooOld(id)
      const used = madeBrands.filter((brand) => !deleted.includes(brand))
      counts.brands -= used.length
      counts.brands_kept = used.length
      Object.assign(details.counts, counts)
      const isPart = left.count + used.length > 0
      if (isPart) await journal.keepLeft(tx, [...left.brands, ...used])
      await journal.tellLaterRuns(tx, staged.repeatCount > 0)
      await markUndone(
        tx,
        id,
        run.id as number,
        isPart ? { isLeftForLater: laterRuns.length > 0 } : undefined,
      )
    })
    const waiting = await findReady(database, await findWaiting(reader, id))
    const told = { ...counts, waiting, left: left.count, later_runs: laterRuns, leftAlone: left.told }
    return { run: run.id, undoes: id, ...told }
  } catch (error) {
    await run.failed(error, { undoes: id })
    throw error
  } finally {
    run.close()
  }
}

/** Each is looked at by itself, which takes a while for large ones. */
const lookedAtMax = 5

async function findReady(database: Database, waiting: readonly number[]): Promise<number[]> {
  for (const id of waiting.slice(0, lookedAtMax)) {
    const { standing } = await LaterRuns.find(database, id)
    if (standing.length === 0) return [id]
  }
  return []
}

async function getUndoable(reader: Reader, id: number): Promise<Run> {
  const run = await findRun(reader, id)
  if (run === undefined)
    throw new Failure(`There is no run ${id}: \`watchdata imports list\` shows the runs.`)
  if (run.kind === 'undo')
    throw new Failure(`Run ${id} is an undo, which cannot be undone: import the file again.`)
  if (run.undone_by !== null) throw new Failure(`Run ${id} is already undone, by run ${run.undone_by}.`)
  if (!(await hasJournal(reader, id))) throw tooOld(id)
  if ((await new Journal(reader, id).lastStep()) === 0) throw new Failure(`Run ${id} changed nothing.`)
  return run
}

function tooOld(id: number): Failure {
  return new Failure(`Run ${id} is too old to be undone: what was before it is no longer kept.`)
}

/** Returns the brands that the run created. */
async function stageUndo(
  undoing: Undoing,
  onProgress: UndoOptions['onProgress'],
): Promise<readonly number[]> {
  const { journal } = undoing
  const whole = await journal.countWatches()
  const madeBrands: number[] = []
  let done = 0
  // The last transaction of the run comes first: what it found is what the one before it left.
  const lastStep = await journal.lastStep()
  for (let step = lastStep; step > 0; step--) {
    // What the run created goes before what it deleted comes back: both may have the same reference.
    for (const [isDeleted, undo] of [
      [false, restoreWatches],
      [true, recreateWatches],
    ] as const)
      for await (const page of journal.watches(step, isDeleted)) {
        await undo(undoing, step, page)
        done += page.length
        onProgress(done, whole)
      }
    await undoPricesOf(undoing, step, step === lastStep)
    madeBrands.push(...(await undoBrands(undoing, step)))
  }
  return madeBrands
}

async function undoPricesOf(undoing: Undoing, step: number, isLastStep: boolean): Promise<void> {
  const { journal, later, staged, left, counts } = undoing
  for await (const page of journal.prices(step)) {
    const kept = await later.findKept(page)
    const { undone, left: lines, ofNoWatch } = await undoPrices(staged, page, kept, isLastStep)
    counts.prices += undone
    left.keepLines(ofNoWatch)
    const rows = await staged.readWatches(lines.map(({ watch_id }) => watch_id))
    const names = new Map(rows.map((row) => [row.id, nameOf(undoing, row)]))
    for (const line of lines) {
      const why = kept.has(line) ? 'was changed by a later run' : 'was changed since'
      left.price(line, names.get(line.watch_id) ?? `watch ${line.watch_id}`, why)
    }
  }
}
