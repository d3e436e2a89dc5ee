// Converts API calls and counts to table rows: builds their ids and removes secrets from their paths.
import { unescape as decode } from 'node:querystring'
import type { RowsTarget } from '../../storage/write-rows.ts'
import { holdsKey } from '../keys/api-key.ts'
import type { PendingCall, PendingCount } from './pending-calls.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    requests: {
      account_id: string
      id: string
      key_id: string
      at: string
      method: string
      path: string
      status: number
      duration_ms: number
      request_id: string
    }
    daily_statuses: { account_id: string; day: string; status: number; count: number }
  }
}

export const dayMs = 86_400_000
const pathMaxLength = 2_048
/** How many layers of percent-encoding are removed to search a URL for secrets. */
const decodingsMax = 3

/** Accounts may have been deleted meanwhile, and a row of a deleted account would fail the whole batch. */
const hasAccount = 'exists (select 1 from accounts where accounts.id = given.account_id)'

export const requestRows: RowsTarget = {
  table: 'requests',
  columns: {
    account_id: 'text',
    id: 'text',
    key_id: 'text',
    at: 'text',
    method: 'text',
    path: 'text',
    status: 'integer',
    duration_ms: 'double precision',
    request_id: 'text',
  },
  onlyIf: hasAccount,
  // The row exists if an earlier write was reported as failed but had succeeded.
  onConflict: 'on conflict (account_id, id) do nothing',
}
export const statusRows: RowsTarget = {
  table: 'daily_statuses',
  columns: { account_id: 'text', day: 'text', status: 'integer', count: 'bigint' },
  onlyIf: hasAccount,
  onConflict:
    'on conflict (account_id, day, status) do update set count = daily_statuses.count + excluded.count',
}

export function requestRow(call: PendingCall, process: string): (string | number)[] {
  const { accountId, keyId, method, url, status, durationMs, requestId, atMs } = call
  const at = new Date(atMs).toISOString()
  return [accountId, idOf(call, process), keyId, at, method, writtenPath(url), status, durationMs, requestId]
}

/** Ids sort in the order of the calls: by time, and within a process by sequence. */
function idOf({ atMs, sequence }: PendingCall, process: string): string {
  const time = atMs.toString(16).padStart(12, '0')
  return `${time}${(sequence % 0x1_0000_0000).toString(16).padStart(8, '0')}${process}`
}

/** A key belongs in a header. If the caller also puts it into the URL, it must not appear in the log. */
const secrets = /(wd(?:_|%5f)live(?:_|%5f)|whsec(?:_|%5f))[\w+/=%-]+/gi

function writtenPath(url: string): string {
  return withoutHidden(url.replace(secrets, '$1…')).slice(0, pathMaxLength)
}

/** Where an encoded secret begins and ends is not known, so everything around it is left out. */
function withoutHidden(url: string): string {
  if (!hidesSecret(url)) return url
  const [path = ''] = url.split('?', 1)
  return hidesSecret(path) ? '/…' : `${path}?…`
}

function hidesSecret(raw: string): boolean {
  if (holdsKey(raw)) return true
  let text = raw
  for (let decodings = 0; decodings < decodingsMax && text.includes('%'); decodings++) {
    // Lenient: an invalid escape stays as it is.
    text = decode(text)
    if (text.search(secrets) >= 0 || holdsKey(text)) return true
  }
  return false
}

/** One row per account, day and status. Sorted: two processes that lock the same rows in different orders deadlock. */
export function statusRowsOf(counts: readonly PendingCount[]): (string | number)[][] {
  const rows: [accountId: string, day: string, status: number, count: number][] = []
  let last: PendingCount | undefined
  for (const one of counts.toSorted(inOrder)) {
    const row = rows.at(-1)
    if (row !== undefined && last !== undefined && inOrder(last, one) === 0) row[3] += one.count
    else {
      const day = row !== undefined && last?.day === one.day ? row[1] : dayText(one.day)
      rows.push([one.accountId, day, one.status, one.count])
    }
    last = one
  }
  return rows
}

function inOrder(one: PendingCount, other: PendingCount): number {
  if (one.accountId !== other.accountId) return one.accountId < other.accountId ? -1 : 1
  return one.day - other.day || one.status - other.status
}

/** Formats a day, counted since 1970, as `2026-03-01`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
