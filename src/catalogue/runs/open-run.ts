// A run from its first row to its publication: its entry in the log of runs, and what it has staged.
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { failWhenLockIsLost } from '../catalogue-lock.ts'
import { type FinishRun, publishRun } from './publish-run.ts'
import { beginRun, endRun, noteDetails, type RunDetails, type RunKind } from './run-log.ts'
import { StagedRun } from './staged-run.ts'

export interface RunParts {
  readonly database: Database
  readonly clock: Clock
  /** Aborted when the catalogue lock is lost. */
  readonly signal: AbortSignal
  /** Who runs it, for the log. */
  readonly who: string
  /** What the log says of the run until it ends. */
  readonly known: RunDetails
}

export class OpenRun {
  readonly staged: StagedRun
  /** Undefined in a dry run, which the log does not mention. */
  readonly id: number | undefined
  readonly #parts: RunParts
  readonly #kind: RunKind
  #step = 0

  private constructor(parts: RunParts, kind: RunKind, id: number | undefined) {
    this.staged = new StagedRun(parts.database, parts.clock, id === undefined)
    this.id = id
    this.#parts = parts
    this.#kind = kind
  }

  static async begin(parts: RunParts, kind: RunKind, isDryRun: boolean): Promise<OpenRun> {
    const { database, clock, who, known: details } = parts
    const id = isDryRun ? undefined : await beginRun(database, clock, { kind, who, details })
    return new OpenRun(parts, kind, id)
  }

  /** The number of publications so far. */
  get step(): number {
    return this.#step
  }

  /**
   * Makes visible what was staged since the last publication, in one transaction with `finish`. Returns the brands that
   * were deleted.
   */
  async publish(finish?: FinishRun): Promise<readonly number[]> {
    if (this.id === undefined) return []
    if (this.staged.isEmpty && finish === undefined) return []
    failWhenLockIsLost(this.#parts.signal)
    const step = this.#step + 1
    const isJournaled = this.#kind !== 'undo'
    const deleted = await publishRun(this.staged, { runId: this.id, step, isJournaled, finish })
    this.#step = step
    return deleted
  }

  /** Publishes one of several batches, and logs what has come of them so far. */
  async publishBatch(details: RunDetails): Promise<void> {
    const { id } = this
    if (id === undefined || this.staged.isEmpty) return
    await this.publish((tx) => noteDetails(tx, id, { ...details, batches: this.#step + 1 }))
  }

  /** Publishes the rest, and logs the run as done. `finish` may still change the details. */
  async done(details: RunDetails, finish?: FinishRun): Promise<readonly number[]> {
    const { id } = this
    if (id === undefined) return []
    return this.publish(async (tx, deleted) => {
      await finish?.(tx, deleted)
      await endRun(tx, this.#parts.clock, id, 'done', details)
    })
  }

  /** Logs that the run failed. The error itself is the caller's to report. */
  async failed(error: unknown, details: RunDetails): Promise<void> {
    const { id } = this
    if (id === undefined) return
    const { database, clock } = this.#parts
    const text = error instanceof Failure ? error.message : String(error)
    const told = { ...details, error: text, ...(this.#step === 0 ? {} : { batches: this.#step }) }
    // A run that cannot be marked as failed stays open, and the next one marks it as interrupted.
    const wasOpen = await database.write((tx) => endRun(tx, clock, id, 'failed', told)).catch(() => true)
    if (!wasOpen)
      throw new Failure(`The database did not confirm it, but run ${id} is done, and all of it is visible.`)
  }

  close(): void {
    this.staged.close()
  }
}
