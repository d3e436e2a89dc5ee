// Finds the last change of a subject in the log that a predicate accepts.
import type { Reader } from '../storage/database.ts'
import type { Change, NewChange } from './log.ts'

/** The maximum number of changes of one type and subject that are read; older ones are not found. */
const scannedMax = 1_000

export async function findLastChange(
  reader: Reader,
  type: NewChange['type'],
  subjectId: number,
  accepts: (data: object) => boolean,
): Promise<Pick<Change, 'sequence' | 'data'> | undefined> {
  const rows = await reader
    .selectFrom('changes')
    .select(['sequence', 'data'])
    .where('type', '=', type)
    .where('subject_id', '=', subjectId)
    .orderBy('sequence', 'desc')
    .limit(scannedMax)
    .execute()
  for (const { sequence, data } of rows) {
    const parsed: object = JSON.parse(data ?? '{}')
    if (accepts(parsed)) return { sequence, data: parsed }
  }
  return undefined
}
