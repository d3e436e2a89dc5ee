// In charge of finding a change in the log from its end: the last that said something of a subject.
import type { Reader } from '../storage/database.ts'
import type { Change, NewChange } from './log.ts'

/** Changes of one kind and one subject that are looked at; whoever changed it more often since has to look by himself. */
const lookedAtMax = 1_000

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
    .limit(lookedAtMax)
    .execute()
  for (const { sequence, data } of rows) {
    const parsed: object = JSON.parse(data ?? '{}')
    if (accepts(parsed)) return { sequence, data: parsed }
  }
  return undefined
}
