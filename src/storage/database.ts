// The database as the rest of the service sees it, whichever engine it is: transactions, locks and wake-ups. Knows
// nothing about watches.
import type { Compilable, Kysely, Transaction } from 'kysely'
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
   * Runs a few statements in one short transaction, which gives up after two seconds and never blocks the event loop.
   * Resolves to the rows of each statement. The write then survives the end of the process, but a crash of PostgreSQL, or
   * a power cut with SQLite, may undo the most recent writes.
   */
  writeQuickly(statements: readonly Compilable[], options?: QuickOptions): Promise<readonly Row[][]>
  /** Runs `work` on one consistent view of the whole database, while other writes continue. */
  snapshot<T>(work: (view: Reader) => Promise<T>): Promise<T>
  /** Opens tables for rows that one transaction will take over. */
  stage(tables: readonly StagedTable[]): Stage
  /** Takes the named lock, across all processes, until the transaction ends. */
  lock(tx: Tx, name: string): Promise<void>
  /**
   * Runs `work` while no other process holds the lock of this name: for minutes if need be, over many transactions. The
   * lock ends with the process; `signal` is aborted if the lock is lost earlier.
   */
  withExclusiveLock<T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    options?: LockOptions,
  ): Promise<T>
  /** Runs a text of several statements, such as a migration. */
  script(tx: Tx, sql: string): Promise<void>
  /** Calls `wake` after each write announced on the channel. Only a hint: it may be late, duplicated or lost. */
  listen(channel: string, wake: () => void): () => void
  close(): Promise<void>
}

export interface LockOptions {
  /** Called once if another process holds the lock. */
  readonly onWait?: () => void
}

interface QuickOptions {
  /** Whether the write survives a crash of PostgreSQL. It then takes longer. */
  readonly isDurable?: boolean
  /** For what no request waits for: in PostgreSQL, a process runs one such write at a time, so that its reads get a turn. */
  readonly isBackground?: boolean
}

interface WriteOptions {
  /** Channel whose listeners are woken once the write is committed. */
  readonly announce?: string
}

export type ColumnType = 'bigint' | 'double precision' | 'integer' | 'text'

/** A table of rows that are not visible yet. Its name must be one that the database does not have. */
export interface StagedTable {
  readonly table: string
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The columns of the primary key. */
  readonly key: string
  /** What happens if a row of that key exists already: `on conflict …`. */
  readonly onConflict?: string
}

/** Rows that only this process can see. They vanish with it, however it ends. */
export interface Stage {
  add(table: StagedTable, rows: readonly (readonly (string | number | null)[])[]): void
  find(text: string, parameters: readonly (string | number | null)[]): Row[]
  /** Makes the staged tables visible to the transaction, until it ends. */
  bring(tx: Tx): Promise<void>
  clear(): void
  close(): void
}
