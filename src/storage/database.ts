// The database as the rest of the service sees it, whichever engine it is: transactions, locks and wake-ups. Knows
// nothing about watches.
import type { Compilable, Kysely, Transaction } from 'kysely'
import type { LockOptions } from './exclusive-lock.ts'
import type { Row } from './small-writes.ts'

/**
 * Every table and its columns. Each folder adds the tables it owns beside the code that uses them
 * (`declare module './database.ts'`), so that this file stays ignorant of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

export type Reader = Kysely<Tables>
export type Tx = Transaction<Tables>
export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  /** Committed state, outside any transaction. Never waits for a writer. */
  readonly reader: Reader
  /** Runs `work` in one transaction. When it resolves, the write is on disk. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /**
   * Runs a few statements in one transaction that nobody waits long for: given up after two seconds, and never in the way
   * of an answer. When it resolves, to the rows of each, the write survives the end of the process; a power cut may undo
   * the last moment of them.
   */
  writeQuickly(statements: readonly Compilable[]): Promise<readonly Row[][]>
  /** Runs `work` on one unchanging view of the whole database, while writers go on. */
  snapshot<T>(work: (view: Reader) => Promise<T>): Promise<T>
  /** Within a transaction: holds the named lock until it ends, over all processes. */
  lock(tx: Tx, name: string): Promise<void>
  /**
   * Runs `work` while no other process has a turn of this name: for minutes if need be, over many transactions. The turn
   * ends with the process; `signal` is aborted when it is lost before.
   */
  withExclusiveLock<T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    options?: LockOptions,
  ): Promise<T>
  /** Runs several statements at once, as migrations have them. */
  script(tx: Tx, sql: string): Promise<void>
  /** Calls `wake` after each write announced on the channel: a hint, which may be late, doubled or lost. */
  listen(channel: string, wake: () => void): () => void
  close(): Promise<void>
}

interface WriteOptions {
  /** Channel whose listeners are woken once the write is committed. */
  readonly announce?: string
}
