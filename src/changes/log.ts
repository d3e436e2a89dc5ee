// Writes and reads the log of changes, to which changes are appended, and of which only the oldest are deleted
// (remove-old-changes.ts). It does not know what the data of a change means: that is up to the writer.
import { randomBytes } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Database, Engine, Reader, Tables, Tx } from '../storage/database.ts'
import { writeRows } from '../storage/write-rows.ts'

declare module '../storage/database.ts' {
  interface Tables {
    changes: {
      sequence: number
      type: ChangeType
      subject_id: number
      at: string
      data: string | null
      commit_id: string | null
    }
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
  | 'brand.deleted'

export interface NewChange {
  readonly type: ChangeType
  readonly subjectId: number
  /** What changed, if it cannot be derived from the current state of the subject. */
  readonly data?: object
}

export interface Change extends NewChange {
  readonly sequence: number
  readonly at: string
  readonly commitId: string
}

/** A position in the log: a sequence within one epoch, the lifetime of a database. */
export interface Head {
  readonly epoch: string
  readonly sequence: number
  /**
   * The random id of the transaction that wrote this change. If the log has the change with the same id, then it has
   * every earlier change too. Empty at the start of the log, and for changes of versions that did not write it.
   */
  readonly commitId: string
}

/** What the log has at some sequences. */
export interface LogMarks {
  readonly epoch: string
  /** The commit ids of the changes that exist, by sequence. */
  readonly commitIds: ReadonlyMap<number, string>
}

export const changesChannel = 'watchdata_changes'

/** The maximum number of changes that `findLastChange` reads; older ones are not found. */
const scannedMax = 1_000

const changesRows = {
  table: 'changes',
  columns: {
    sequence: 'bigint',
    type: 'text',
    subject_id: 'bigint',
    at: 'text',
    data: 'text',
    commit_id: 'text',
  },
} as const
const commitIdBytes = 6

/** Changes that one transaction will append to the log, in the order of `place`, which counts from 1. */
export const stagedChanges = {
  table: 'staged_changes',
  columns: { place: 'bigint', type: 'text', subject_id: 'bigint', data: 'text' },
  key: 'place',
} as const

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

/** Finds the last change of this type and subject whose data is accepted, if it is still in the log. */
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
  const { commitId, ...place } = await reader
    .selectFrom(['epoch', 'sequence'])
    .leftJoin('changes', 'changes.sequence', 'sequence.value')
    .select(['epoch.id as epoch', 'sequence.value as sequence', 'changes.commit_id as commitId'])
    .executeTakeFirstOrThrow()
  return { ...place, commitId: commitId ?? '' }
}

export async function readMarks(reader: Reader, sequences: readonly number[]): Promise<LogMarks> {
  const rows = await reader
    .selectFrom('epoch')
    .leftJoin('changes', (join) => join.on('changes.sequence', 'in', sequences))
    .select(['epoch.id as epoch', 'changes.sequence as sequence', 'changes.commit_id as commitId'])
    .execute()
  const commitIds = new Map<number, string>()
  for (const { sequence, commitId } of rows) if (sequence !== null) commitIds.set(sequence, commitId ?? '')
  return { epoch: rows[0]?.epoch ?? '', commitIds }
}

/** Whether the log contains the change at `head`. `marks` must have been read for its sequence. */
export function isInLog({ epoch, sequence, commitId }: Head, marks: LogMarks): boolean {
  return marks.epoch === epoch && (sequence === 0 || marks.commitIds.get(sequence) === commitId)
}

/** Returns the first sequence that is still in the log, whose older changes are deleted; undefined if the log is empty. */
export async function findFirstSequence(reader: Reader): Promise<number | undefined> {
  const first = await reader
    .selectFrom('changes')
    .select('sequence')
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
  return first?.sequence
}

/** Returns how many changes after one sequence, up to another, are new prices. */
export async function countPriceChanges(reader: Reader, after: number, through: number): Promise<number> {
  const { count } = await reader
    .selectFrom('changes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sequence', '>', after)
    .where('sequence', '<=', through)
    .where('type', '=', 'watch.price_changed')
    .executeTakeFirstOrThrow()
  return Number(count)
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
    commitId: row.commit_id ?? '',
    ...(row.data === null ? {} : { data: JSON.parse(row.data) }),
  }
}

/**
 * Appends the staged changes to the log. `data` is an expression of their column of that name. As in `recordChanges`,
 * this must come last in a transaction that announces `changesChannel`.
 */
export async function appendStaged(
  tx: Tx,
  clock: Clock,
  count: number,
  data: RawBuilder<string | null>,
): Promise<void> {
  if (count === 0) return
  const { last, at, commitId } = await advance(tx, clock, count)
  await sql`insert into changes (sequence, type, subject_id, at, data, commit_id)
    select cast(${last - count} as bigint) + place, type, subject_id, cast(${at} as text), ${data}, cast(${commitId} as text)
    from staged_changes order by place`.execute(tx)
}

/** Appends changes to the log, at the end of a transaction that announces `changesChannel`. */
async function append(tx: Tx, engine: Engine, recorded: readonly NewChange[], clock: Clock): Promise<void> {
  if (recorded.length === 0) return
  const { last, at, commitId } = await advance(tx, clock, recorded.length)
  const first = last - recorded.length + 1
  const rows = recorded.map(({ type, subjectId, data }, offset) => [
    first + offset,
    type,
    subjectId,
    at,
    data === undefined ? null : JSON.stringify(data),
    commitId,
  ])
  await writeRows(tx, engine, changesRows, rows)
}

/** Advances the sequence, and returns its last value with the time and id of the changes. */
async function advance(tx: Tx, clock: Clock, count: number) {
  const { value: last } = await tx
    .updateTable('sequence')
    .set({ value: sql<number>`value + ${count}` })
    .returning('value')
    .executeTakeFirstOrThrow()
  // Read the clock only now: earlier writers have committed, so times are in the order of the sequence.
  return { last, at: clock.now().toISOString(), commitId: randomBytes(commitIdBytes).toString('hex') }
}
