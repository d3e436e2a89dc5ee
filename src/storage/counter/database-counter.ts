// Counts in the database itself, for many processes without Redis: exact, but slower.

import type { Database } from '../database.ts'
import type { Counter, Taken } from './counter.ts'
import { readCount, takeFromDatabase } from './daily-counts.ts'
import { TakeBatcher } from './take-together.ts'

export class DatabaseCounter implements Counter {
  readonly #database: Database
  readonly #together: TakeBatcher

  constructor(database: Database) {
    this.#database = database
    this.#together = new TakeBatcher((question) => takeFromDatabase(database, question))
  }

  take(subject: string, day: string, limit: number): Promise<Taken> {
    return this.#together.take(subject, day, limit)
  }

  async read(subject: string, day: string): Promise<number> {
    return (await readCount(this.#database, subject, day)).used
  }

  async close(): Promise<void> {}
}
