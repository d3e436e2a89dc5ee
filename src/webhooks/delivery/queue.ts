// Reads the waiting deliveries of endpoints, in order, a page at a time, without the bodies of the events. The
// conditions on `status` and null are literals, not parameters, because SQLite uses a partial index only if it sees
// its condition.
import { type InferResult, sql } from 'kysely'
import type { Reader } from '../../storage/database.ts'

/** A waiting delivery. `previous_sequence` is null for a test. */
export type Waiting = InferResult<ReturnType<typeof selectWaiting>>[number]

/** A page of waiting deliveries, and whether it is the last. */
export interface Page {
  readonly rows: readonly Waiting[]
  readonly isLast: boolean
}

/** The deliveries that a run begins with. */
export interface FirstPages {
  readonly tests: readonly Waiting[]
  /** Undefined if the page was not read yet. */
  readonly page: Page | undefined
}

/** Rows per page of one endpoint, and per query for the first pages of several. */
const pageMax = 200
const pagesMax = 1_000
const testsMax = 1_000

export async function readFirstPages(
  reader: Reader,
  endpointIds: readonly number[],
): Promise<(endpointId: number) => FirstPages> {
  const tests = await selectWaiting(reader)
    .where('endpoint_id', 'in', endpointIds)
    .where(sql<boolean>`previous_sequence is null`)
    .orderBy('event_id')
    .limit(testsMax)
    .execute()
  const rows = await selectChanges(reader)
    .where('endpoint_id', 'in', endpointIds)
    .orderBy('endpoint_id')
    .orderBy('event_id')
    .limit(pagesMax)
    .execute()
  const testsOf = Map.groupBy(tests, (row) => row.endpoint_id)
  const rowsOf = Map.groupBy(rows, (row) => row.endpoint_id)
  // If the result reached the limit, rows of the last endpoint may be missing, and all rows of later endpoints are.
  const cutAt = rows.length === pagesMax ? (rows.at(-1)?.endpoint_id ?? 0) : Number.POSITIVE_INFINITY
  return (id) => ({
    tests: testsOf.get(id) ?? [],
    page: id < cutAt ? { rows: rowsOf.get(id) ?? [], isLast: true } : undefined,
  })
}

export async function readPage(reader: Reader, endpointId: number, after: number): Promise<Page> {
  const rows = await selectChanges(reader)
    .where('endpoint_id', '=', endpointId)
    .where('event_id', '>', after)
    .orderBy('event_id')
    .limit(pageMax)
    .execute()
  return { rows, isLast: rows.length < pageMax }
}

function selectChanges(reader: Reader) {
  return selectWaiting(reader).where(sql<boolean>`previous_sequence is not null`)
}

/** Deliveries held behind another (without a next attempt) are not read. */
function selectWaiting(reader: Reader) {
  return reader
    .selectFrom('webhook_deliveries')
    .select(['endpoint_id', 'event_id', 'subject', 'attempts', 'tries'])
    .select(['previous_sequence', 'next_attempt_at'])
    .where(sql<boolean>`status = 'waiting'`)
    .where(sql<boolean>`next_attempt_at is not null`)
    .$narrowType<{ next_attempt_at: string }>()
}
