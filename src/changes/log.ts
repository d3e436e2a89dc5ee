// Writes and reads the append-only log of changes. It does not know what the data of a change means: that is up to
// the writer.
import { type Selectable, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database, Engine, Reader, Tables, Tx } from '../storage/database.ts'
import { writeRows } from '../storage/write-rows.ts'

declare module '../storage/database.ts' {
  interface Tables {
    changes: { sequence: number; type: ChangeType; subject_id: number; at: string; data: string | null }
    sequence: { value: number }
  }
}

type ChangeType =
  | 'watch.created'
  | 'watch.updated'
  | 'watch.price_changed'
  | 'watch.deleted'
  | 'brand.created'
  | 'brand.updated'

export interface NewChange {
  readonly type: ChangeType
  readonly subjectId: number
  /** What changed, if it cannot be derived from the current state of the subject. */
  readonly data?: object
}

export interface Change extends NewChange {
  readonly sequence: number
  readonly at: string
}

/** A position in the log: a sequence within one epoch, the lifetime of a database. */
export interface Head {
  readonly epoch: string
  readonly sequence: number
}

export const changesChannel = 'watchdata_changes'

/** The maximum number of changes that `findLastChange` reads; older ones are not found. */
const scannedMax = 1_000

const changesRows = { table: 'changes', columns: ['sequence', 'type', 'subject_id', 'at', 'data'] }

/**
 * Runs `work` in one transaction and appends the recorded changes to the log as its last statement. Updating the
 * sequence blocks other writers until the commit, so that changes commit in the order of the sequence; it comes last
 * to keep that lock short.
 */
export function recordChanges<T>(
  database: Database,
  clock: Clock,
  work: (tx: Tx, record: (change: NewChange) => void) => Promise<T>,
): Promise<T> {
  const recorded: NewChange[] = []
  return database.write(
    async (tx) => {
      const result = await work(tx, (change) => void recorded.push(change))
      await append(tx, database.engine, recorded, clock)
      return result
    },
    { announce: changesChannel },
  )
}

/** Returns the changes after the given sequence, in order. */
export async function readAfter(reader: Reader, sequence: number, limit: number): Promise<Change[]> {
  const rows = await selectAfter(reader, sequence).limit(limit).execute()
  return rows.map(toChange)
}

/** Returns the changes of the given watches after the given sequence, in order. */
export async function readAfterOfWatches(
  reader: Reader,
  sequence: number,
  watchIds: readonly number[],
): Promise<Change[]> {
  const rows = await selectAfter(reader, sequence)
    .where('subject_id', 'in', watchIds)
    .where(sql<boolean>`type like ${'watch.%'}`)
    .execute()
  return rows.map(toChange)
}

/** Finds the last change of this type and subject whose data is accepted. */
export async function findLastChange(
  reader: Reader,
  type: ChangeType,
  subjectId: number,
  accepts: (data: object) => boolean,
): Promise<Change | undefined> {
  const rows = await reader
    .selectFrom('changes')
    .selectAll()
    .where('type', '=', type)
    .where('subject_id', '=', subjectId)
    .orderBy('sequence', 'desc')
    .limit(scannedMax)
    .execute()
  return rows
    .values()
    .map(toChange)
    .find(({ data = {} }) => accepts(data))
}

export async function getHead(reader: Reader): Promise<Head> {
  return reader
    .selectFrom(['epoch', 'sequence'])
    .select(['epoch.id as epoch', 'sequence.value as sequence'])
    .executeTakeFirstOrThrow()
}

/** Returns the time of the latest change; undefined if there is none. */
export async function findLastChangeAt(reader: Reader): Promise<string | undefined> {
  const last = await reader
    .selectFrom('changes')
    .select('at')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.at
}

function selectAfter(reader: Reader, sequence: number) {
  return reader.selectFrom('changes').selectAll().where('sequence', '>', sequence).orderBy('sequence')
}

function toChange(row: Selectable<Tables['changes']>): Change {
  return {
    sequence: row.sequence,
    type: row.type,
    subjectId: row.subject_id,
    at: row.at,
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
  }
}

async function append(tx: Tx, engine: Engine, recorded: NewChange[], clock: Clock): Promise<void> {
  if (recorded.length === 0) return
  const { value } = await tx
    .updateTable('sequence')
    .set({ value: sql<number>`value + ${recorded.length}` })
    .returning('value')
    .executeTakeFirstOrThrow()
  // Read the clock only now: earlier writers have committed, so times are in the order of the sequence.
  const at = clock.now().toISOString()
  const first = value - recorded.length + 1
  const rows = recorded.map(({ type, subjectId, data }, offset) => [
    first + offset,
    type,
    subjectId,
    at,
    data === undefined ? null : JSON.stringify(data),
  ])
  await writeRows(tx, engine, changesRows, rows)
}
