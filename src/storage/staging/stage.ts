// Holds staged rows in an SQLite file without a name, which vanishes with the process, however it ends.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import { Failure } from '../../errors.ts'
import type { Engine, Stage, StagedTable, Tx } from '../database.ts'
import { rowStatements, writeRows } from '../write-rows.ts'

type Value = string | number | null

/** SQLite's code for a full disk. */
const fullCode = 13
/** Rows brought into PostgreSQL at a time. */
const broughtRows = 1_000

export class FileStage implements Stage {
  readonly #raw: DatabaseSync
  readonly #engine: Engine
  readonly #tables: readonly StagedTable[]
  readonly #file: string
  readonly #statements = new Map<string, StatementSync>()
  readonly #schema = `stage_${randomBytes(4).toString('hex')}`

  /** `raw` is the writing connection of SQLite: its transactions then see the staged tables. */
  constructor(raw: DatabaseSync, engine: Engine, directory: string, tables: readonly StagedTable[]) {
    this.#raw = raw
    this.#engine = engine
    this.#tables = tables
    this.#file = path.join(directory, `${this.#schema}.sqlite`)
    raw.prepare(`attach ? as ${this.#schema}`).run(this.#file)
    raw.exec(`pragma ${this.#schema}.journal_mode = memory; pragma ${this.#schema}.synchronous = off`)
    for (const { table, columns, key } of tables) {
      // A single key is the row's number, and needs no index.
      const [listed, kind] = key.includes(',')
        ? [`${columnList(columns)}, primary key (${key})`, 'without rowid']
        : [columnList({ ...columns, [key]: 'integer primary key' }), '']
      raw.exec(`create table ${this.#schema}.${table} (${listed}) ${kind}`)
    }
    // Without a name, the file ends with the process. Where an open file cannot be removed, `close` removes it.
    rmSync(this.#file, { force: true })
  }

  add(table: StagedTable, rows: readonly (readonly Value[])[]): void {
    try {
      for (const statement of rowStatements('sqlite', table, rows)) {
        const { sql: text, parameters } = statement.compile()
        this.#prepare(text).run(...(parameters as SQLInputValue[]))
      }
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== fullCode) throw error
      throw new Failure(`The disk of ${path.dirname(this.#file)} is full: make room for what is imported.`)
    }
  }

  find(text: string, parameters: readonly Value[]) {
    return this.#prepare(text).all(...parameters)
  }

  async bring(tx: Tx): Promise<void> {
    if (this.#engine === 'sqlite') return
    // A table brought into PostgreSQL has no key: its rows have none in common.
    for (const { table: text, columns } of this.#tables) {
      const table = { table: text, columns }
      const name = sql.table(text)
      await sql`create temporary table ${name} (${sql.raw(columnList(table.columns))}) on commit drop`.execute(
        tx,
      )
      const statement = this.#raw.prepare(`select * from ${text}`)
      statement.setReturnArrays(true)
      let rows: Value[][] = []
      for (const row of statement.iterate()) {
        if (rows.push(row as unknown as Value[]) < broughtRows) continue
        await writeRows(tx, this.#engine, table, rows)
        rows = []
      }
      await writeRows(tx, this.#engine, table, rows)
      await sql`analyze ${name}`.execute(tx)
    }
  }

  clear(): void {
    for (const { table } of this.#tables) this.#raw.exec(`delete from ${table}`)
  }

  close(): void {
    this.#statements.clear()
    this.#raw.exec(`detach ${this.#schema}`)
    // Beside PostgreSQL the connection is only for this stage.
    if (this.#engine === 'postgres') this.#raw.close()
    rmSync(this.#file, { force: true })
  }

  #prepare(text: string): StatementSync {
    return this.#statements.getOrInsertComputed(text, () => this.#raw.prepare(text))
  }
}

function columnList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
}
