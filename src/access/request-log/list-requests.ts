// Lists an account's latest API calls for its owner, newest first, filtered by status, method, key, text in the path or
// request id.
import { sql } from 'kysely'
import type { Reader, Tables } from '../../storage/database.ts'

export interface RequestsWanted {
  /** `429`, or `4xx` for all of a class. */
  readonly status?: string | undefined
  readonly method?: string | undefined
  /** The id of a key. */
  readonly key?: string | undefined
  /** Text that the path contains, case-sensitive. */
  readonly q?: string | undefined
  readonly request_id?: string | undefined
  /** The id of the last call of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

type LoggedRequest = Omit<Tables['requests'], 'account_id' | 'key_id'> & {
  readonly key: Pick<Tables['api_keys'], 'id' | 'name' | 'hint'> | null
}

export async function listRequests(
  reader: Reader,
  accountId: string,
  { status, method, key, q, request_id, before, limit }: RequestsWanted,
): Promise<LoggedRequest[]> {
  const [lowest, highest] = statusRange(status)
  const rows = await reader
    .selectFrom('requests')
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.id', '=', 'requests.key_id')
        .onRef('api_keys.account_id', '=', 'requests.account_id'),
    )
    .select(['requests.id', 'at', 'method', 'path', 'status', 'duration_ms', 'request_id'])
    .select(['api_keys.id as key_id', 'api_keys.name as key_name', 'api_keys.hint as key_hint'])
    .where('requests.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('requests.id', '<', before as string))
    .$if(status !== undefined, (query) => query.where('status', '>=', lowest).where('status', '<=', highest))
    .$if(method !== undefined, (query) => query.where('method', '=', method as string))
    .$if(key !== undefined, (query) => query.where('requests.key_id', '=', key as string))
    // Not LIKE: it has wildcard characters, and the engines' LIKEs differ.
    .$if(q !== undefined, (query) => query.where(sql`replace(path, ${q}, '')`, '<>', sql.ref('path')))
    .$if(request_id !== undefined, (query) => query.where('request_id', '=', request_id as string))
    .orderBy('requests.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ key_id, key_name, key_hint, ...row }) => ({
    ...row,
    key: key_id === null ? null : { id: key_id, name: key_name ?? '', hint: key_hint ?? '' },
  }))
}

const classes = /^[1-5]xx$/

/** Whether the text is a valid filter for `status`. */
export function isStatusFilter(raw: string): boolean {
  return classes.test(raw) || /^[1-5]\d\d$/.test(raw)
}

function statusRange(raw = '1xx'): [number, number] {
  if (!classes.test(raw)) return [Number(raw), Number(raw)]
  const first = Number(raw[0]) * 100
  return [first, first + 99]
}
