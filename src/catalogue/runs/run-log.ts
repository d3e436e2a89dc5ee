// The log of runs: who imported or undid what, when, from which files, with which result. Declares the tables of runs and
// of what each changed.
import { hostname, userInfo } from 'node:os'
import type { Generated, Selectable } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database, Reader, Tables, Tx } from '../../storage/database.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    runs: {
      id: Generated<number>
      kind: RunKind
      state: RunState
      who: string
      started_at: string
      ended_at: string | null
      /** The run that undid this one, with nothing left. */
      undone_by: number | null
      /** 0 if the run can no longer be undone, because its journal is deleted, or about to be. */
      has_journal: Generated<number>
      details: string
    }
    run_watches: {
      run_id: number
      step: number
      watch_id: number
      before: string | null
      after: string | null
      after_at: string | null
    }
    run_brands: { run_id: number; step: number; brand_id: number; before: string | null; after: string }
    run_prices: {
      run_id: number
      step: number
      watch_id: number
      date: string
      before_retail: number | null
      before_market: number | null
      before_source: string | null
      after_retail: number | null
      after_market: number | null
      after_source: string | null
    }
  }
}

export type RunKind = 'watches' | 'prices' | 'brands' | 'undo'
/**
 * `open`: it runs now, or its process ended before it was done. `interrupted`: a later run found that its process had
 * ended. `failed` and `interrupted` runs changed nothing, unless they were written in batches.
 */
export type RunState = 'open' | 'done' | 'failed' | 'interrupted'

/** What a run read, and what came of it. */
export interface RunDetails {
  readonly files?: readonly RunFile[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly counts?: Readonly<Record<string, number>>
  /** The first rejected rows; `counts` has their number. */
  readonly rejects?: readonly object[]
  readonly error?: string
  /** The run that this one undoes. */
  readonly undoes?: number
  /** The run that undid a part of this one: the rest can be undone later. */
  readonly partlyUndoneBy?: number
  /** Whether some of the rest was left because later runs had changed it. */
  readonly isLeftForLater?: true
  /** Transactions of a run in batches. */
  readonly batches?: number
}

export interface RunFile {
  readonly name: string
  /** Undefined if the file was refused before it was read. */
  readonly format?: string | undefined
  readonly bytes?: number | undefined
  /** In hexadecimal; undefined if the file was not read to its end. */
  readonly sha256?: string | undefined
  /** As --suggest-map prints it; undefined for a file whose columns are not mapped. */
  readonly mapping?: unknown
}

export interface Run extends Omit<Selectable<Tables['runs']>, 'has_journal' | 'details'> {
  readonly details: RunDetails
}

/** Call it under the catalogue lock: a run that is still open then belongs to a process that has ended. */
export function beginRun(
  database: Database,
  clock: Clock,
  { kind, who, details }: { kind: RunKind; who: string; details: RunDetails },
): Promise<number> {
  return database.write(async (tx) => {
    await tx.updateTable('runs').set({ state: 'interrupted' }).where('state', '=', 'open').execute()
    const started_at = clock.now().toISOString()
    const { id } = await tx
      .insertInto('runs')
      .values({ kind, state: 'open', who, started_at, details: JSON.stringify(details) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** Logs what has come of an open run so far, in case its process ends. */
export async function noteDetails(tx: Tx, id: number, details: RunDetails): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ details: JSON.stringify(details) })
    .where('id', '=', id)
    .execute()
}

/** Returns whether the run was open until now. */
export async function endRun(
  tx: Tx,
  clock: Clock,
  id: number,
  state: RunState,
  details: RunDetails,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set({ state, ended_at: clock.now().toISOString(), details: JSON.stringify(details) })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What an undo left of a run. */
export interface UndoneRest {
  readonly isLeftForLater: boolean
}

/** `rest` is undefined if nothing was left. */
export async function markUndone(
  tx: Tx,
  id: number,
  undoneBy: number,
  rest: UndoneRest | undefined,
): Promise<void> {
  const run = await findRun(tx, id)
  const { partlyUndoneBy: _, isLeftForLater: __, ...details } = run?.details ?? {}
  const told: RunDetails = {
    ...details,
    ...(rest === undefined ? {} : { partlyUndoneBy: undoneBy }),
    ...(rest?.isLeftForLater ? { isLeftForLater: true } : {}),
  }
  await tx
    .updateTable('runs')
    .set({ undone_by: rest === undefined ? undoneBy : null, details: JSON.stringify(told) })
    .where('id', '=', id)
    .execute()
}

export async function hasJournal(reader: Reader, id: number): Promise<boolean> {
  const row = await reader.selectFrom('runs').select('has_journal').where('id', '=', id).executeTakeFirst()
  return row?.has_journal === 1
}

/** Runs before this one that were undone only in part, because later runs had changed the rest. Newest first. */
export async function findWaiting(reader: Reader, id: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('runs')
    .select('id')
    .where('id', '<', id)
    .where('undone_by', 'is', null)
    .where('has_journal', '=', 1)
    .where('details', 'like', '%"isLeftForLater":true%')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => row.id)
}

/** Newest first. */
export async function listRuns(reader: Reader, limit: number): Promise<Run[]> {
  const rows = await reader.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(toRun)
}

export async function findRun(reader: Reader, id: number): Promise<Run | undefined> {
  const row = await reader.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRun(row)
}

/** Whoever runs the command: user and machine. */
export function operatorName(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // Containers may run as a user that has no name.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`
  }
}

function toRun({ details, has_journal: _, ...row }: Selectable<Tables['runs']>): Run {
  return { ...row, details: JSON.parse(details) }
}
