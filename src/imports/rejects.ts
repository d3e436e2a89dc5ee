// Writes the rows that were not imported to a file, each with its line and its reason, so that the operator can fix
// them. Too many rejected rows stop the import.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Failure } from '../errors.ts'

export interface RejectedRow {
  readonly file: string
  readonly line: number
  readonly column?: string | undefined
  /** The beginning of the cell's text. */
  readonly value?: string | undefined
  /** Completes a sentence that begins with the column's name. Without a column it is a whole sentence. */
  readonly reason: string
}

export type Reject = Omit<RejectedRow, 'file'>

export const noReference =
  'The row has no reference number: if the watches have none, import them with --key.'

/** Thrown to reject a row. */
export class Refusal extends Error {
  readonly reject: Reject

  constructor(reject: Reject) {
    super(reject.reason)
    this.reject = reject
  }
}

/** Returns the result of `read`. If `read` throws a Refusal, passes its row to `reject` and returns undefined. */
export function catchRefusal<T>(reject: (row: Reject) => void, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    reject(error.reject)
    return undefined
  }
}

/** Lines buffered before they are written. */
const linesMax = 1_000
export const repeatsMax = 100_000
/** Distinct reasons that are counted. The summary shows the most frequent ones. */
const reasonsMax = 1_000
const reasonsShown = 3
/** Rejected rows that the log of runs keeps. */
const firstMax = 1_000

export interface RejectReason {
  readonly column: string | undefined
  readonly reason: string
  count: number
}

export class Rejects {
  readonly path: string
  readonly #max: number
  #file: number | undefined
  #lines: string[] = []
  #count = 0
  #repeats = 0
  readonly #reasons = new Map<string, RejectReason>()
  readonly #first: RejectedRow[] = []

  /** The file is created with the first row, and overwrites the file of an earlier import. */
  constructor(path: string, max: number) {
    this.path = path
    this.#max = max
  }

  /** Rows that were rejected, without repeated ones. */
  get count(): number {
    return this.#count
  }

  /** Rows whose watch already had a row in the same file. */
  get repeats(): number {
    return this.#repeats
  }

  /** The first rejected rows. */
  get first(): readonly RejectedRow[] {
    return this.#first
  }

  /** Throws a Failure if more rows are rejected than allowed. */
  add(row: RejectedRow): void {
    this.#count++
    if (this.#first.length < firstMax) this.#first.push(row)
    this.#tally(row)
    this.#write('rejected', row)
    if (this.#count > this.#max) throw this.#tooMany()
  }

  /** All repeated rows are counted, but only the first `repeatsMax` are written: a file may have nothing else. */
  addRepeat(row: RejectedRow): void {
    this.#repeats++
    if (this.#repeats <= repeatsMax) this.#write('repeated', row)
  }

  async close(): Promise<void> {
    this.#flush()
    if (this.#file !== undefined) closeSync(this.#file)
    else if (this.#count + this.#repeats === 0) this.#removeEarlier()
    this.#file = undefined
  }

  /** Removes the file of an earlier run, so that nobody takes its rows for rejects of this run. */
  #removeEarlier(): void {
    try {
      const [first = ''] = readFileSync(this.path, 'utf8').split('\n', 1)
      const { file, line, reason } = JSON.parse(first)
      if (file !== undefined && line !== undefined && reason !== undefined) rmSync(this.path)
    } catch {
      // There is no such file, or it is not a file of rejects.
    }
  }

  /** Where and why most rows were rejected, the most frequent first. */
  get reasons(): readonly RejectReason[] {
    return [...this.#reasons.values()].sort((one, other) => other.count - one.count).slice(0, reasonsShown)
  }

  #tally({ column, reason }: RejectedRow): void {
    const name = JSON.stringify([column, reason])
    const known = this.#reasons.get(name)
    if (known !== undefined) known.count++
    else if (this.#reasons.size < reasonsMax) this.#reasons.set(name, { column, reason, count: 1 })
  }

  #write(kind: 'rejected' | 'repeated', { file, line, column, value, reason }: RejectedRow): void {
    this.#lines.push(`${JSON.stringify({ file, line, column, value, reason, kind })}\n`)
    if (this.#lines.length === linesMax) this.#flush()
  }

  #flush(): void {
    if (this.#lines.length === 0) return
    try {
      this.#file ??= openSync(this.path, 'w')
      writeFileSync(this.#file, this.#lines.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new Failure(`Cannot write ${this.path} (${code}): give another file with --rejected FILE.`)
    }
    this.#lines = []
  }

  #tooMany(): Failure {
    const rows = `more than ${this.#max} ${this.#max === 1 ? 'row' : 'rows'}`
    const [most] = this.reasons
    const why =
      most === undefined ? '' : ` Most often: ${most.column ?? 'the row'}: ${most.reason.replace(/\.$/, '')}.`
    return new Failure(
      `Stopped, because ${rows} could not be imported: ${this.path} says why.${why} Fix them, or allow more with --max-errors.`,
    )
  }
}
