// Reads the change log for the index, with the data of new prices: most changes are new prices, which need nothing else.
// All changes come as one JSON text, which takes a fraction of the time that the driver of PostgreSQL takes for rows.
import { sql } from 'kysely'
import type { Reader } from '../../storage/database.ts'
import { ChangeBatch } from './change-batch.ts'

/** Changes in one text: longer texts are large objects, which the garbage collector keeps for long. */
const perText = 100

/** Returns the changes after the given sequence, in order. */
export async function readChanges(reader: Reader, sequence: number, limit: number): Promise<ChangeBatch> {
  // Neither types nor times nor ids of commits contain characters that JSON escapes.
  const { rows } = await sql<{ list: string }>`
    select concat('[', string_agg(concat(
      '[', sequence, ',"', type, '",', subject_id, ',"', at, '","', commit_id, '",', coalesce(price, 'null'), ']'
    ), ',' order by sequence), ']') as list
    from (
      select *, case type when 'watch.price_changed' then data end as price
      from changes where sequence > ${sequence} order by sequence limit ${limit}
    ) as next
    group by sequence / ${sql.lit(perText)} order by sequence / ${sql.lit(perText)}
  `.execute(reader)
  return new ChangeBatch(rows.flatMap(({ list }) => JSON.parse(list)))
}
