// Stores the attempts of all processes in PostgreSQL: one statement counts those of many subjects. Expired rows are
// deleted now and then, a batch at a time.
import { sql } from 'kysely'
import type { Database } from '../database.ts'

declare module '../database.ts' {
  interface Tables {
    attempt_counts: { subject: string; attempts: number; granted: number; most: number; until: string }
  }
}

export interface AddedAttempts {
  readonly subject: string
  readonly added: number
  readonly max: number
  readonly nowMs: number
  readonly untilMs: number
}

export interface Counted {
  /** How many of the added attempts were within the limit. */
  readonly granted: number
  /** How many attempts all processes have counted in this window. */
  readonly attempts: number
  readonly untilMs: number
}

/** Rows per statement: each has five parameters, and PostgreSQL allows 65,535. */
export const rowsMax = 1_000
/** With every 1,000th row that it writes, a process deletes up to as many that have expired. */
const writesPerSweep = 1_000

export class AttemptTable {
  readonly #database: Database
  #writesToSweep = writesPerSweep

  constructor(database: Database) {
    this.#database = database
  }

  /** Adds to the counts, each up to its maximum. At most `rowsMax`, and each subject once. */
  async add(rows: readonly AddedAttempts[]): Promise<ReadonlyMap<string, Counted>> {
    // Sorted: two processes that lock the same rows in different orders would deadlock.
    const inOrder = rows.toSorted((one, other) => (one.subject < other.subject ? -1 : 1))
    const [written = []] = await this.#database.writeQuickly([addition(this.#database, inOrder)])
    // Nobody waits for it, and what is left after a failure is deleted the next time.
    this.#sweep(rows).catch(() => {})
    return new Map(
      written.map(({ subject, granted, attempts, until }) => [
        String(subject),
        { granted: Number(granted), attempts: Number(attempts), untilMs: Date.parse(String(until)) },
      ]),
    )
  }

  async takeBack(subject: string, nowMs: number): Promise<void> {
    const { reader } = this.#database
    await this.#database.writeQuickly([
      reader
        .updateTable('attempt_counts')
        .set({ attempts: sql`attempts - 1` })
        .where('subject', '=', subject)
        .where('attempts', '>', 0)
        .where('until', '>', timeOf(nowMs)),
    ])
  }

  async #sweep(rows: readonly AddedAttempts[]): Promise<void> {
    this.#writesToSweep -= rows.length
    if (this.#writesToSweep > 0) return
    this.#writesToSweep = writesPerSweep
    const { reader } = this.#database
    const expired = reader
      .selectFrom('attempt_counts')
      .select('subject')
      .where('until', '<=', timeOf(rows[0]?.nowMs ?? 0))
      .limit(rowsMax)
      .forUpdate()
      // A row that a statement is about to renew is left to it.
      .skipLocked()
    await this.#database.writeQuickly([reader.deleteFrom('attempt_counts').where('subject', 'in', expired)])
  }
}

/** Where a window has ended, a new one begins with these attempts. */
function addition({ reader }: Database, rows: readonly AddedAttempts[]) {
  const now = timeOf(Math.max(...rows.map(({ nowMs }) => nowMs)))
  const hasEnded = sql`attempt_counts.until <= ${now}`
  const before = sql`case when ${hasEnded} then 0 else attempt_counts.attempts end`
  const granted = sql<number>`least(excluded.granted, greatest(excluded.most - (${before}), 0))`
  return reader
    .insertInto('attempt_counts')
    .values(
      rows.map(({ subject, added, max, untilMs }) => {
        const granted = Math.min(added, max)
        return { subject, attempts: granted, granted, most: max, until: timeOf(untilMs) }
      }),
    )
    .onConflict((oc) =>
      oc.column('subject').doUpdateSet({
        attempts: sql<number>`(${before}) + ${granted}`,
        granted,
        most: sql<number>`excluded.most`,
        until: sql<string>`case when ${hasEnded} then excluded.until else attempt_counts.until end`,
      }),
    )
    .returning(['subject', 'attempts', 'granted', 'until'])
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}
