// In charge of calls and counts as rows: what is written of them, under which id, and that no secret is.
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
/** How often an address may have been encoded and still be looked through. */
const decodingsMax = 3

export const requestRows: RowsTarget = {
  table: 'requests',
  columns: ['account_id', 'id', 'key_id', 'at', 'method', 'path', 'status', 'duration_ms', 'request_id'],
  // One that was written although we were told that it was not.
  onConflict: 'on conflict (account_id, id) do nothing',
}
export const statusRows: RowsTarget = {
  table: 'daily_statuses',
  columns: ['account_id', 'day', 'status', 'count'],
  onConflict:
    'on conflict (account_id, day, status) do update set count = daily_statuses.count + excluded.count',
}

export function requestRow(call: PendingCall, process: string): (string | number)[] {
  const { accountId, keyId, method, url, status, durationMs, requestId, atMs } = call
  const at = new Date(atMs).toISOString()
  return [accountId, idOf(call, process), keyId, at, method, writtenPath(url), status, durationMs, requestId]
}

/** Sorts as the calls came: by the time, within a process by their order. */
function idOf({ atMs, sequence }: PendingCall, process: string): string {
  const time = atMs.toString(16).padStart(12, '0')
  return `${time}${(sequence % 0x1_0000_0000).toString(16).padStart(8, '0')}${process}`
}

/** A key belongs into a header; who writes it into the address as well must not find it here. */
const secrets = /(wd(?:_|%5f)live(?:_|%5f)|whsec(?:_|%5f))[\w+/=%-]+/gi

function writtenPath(url: string): string {
  return withoutHidden(url.replace(secrets, '$1…')).slice(0, pathMaxLength)
}

/** Of a secret in another spelling it is not known where it begins and ends: all around it is left out. */
function withoutHidden(url: string): string {
  if (!hidesSecret(url)) return url
  const [path = ''] = url.split('?', 1)
  return hidesSecret(path) ? '/…' : `${path}?…`
}

function hidesSecret(written: string): boolean {
  if (holdsKey(written)) return true
  let text = written
  for (let decodings = 0; decodings < decodingsMax && text.includes('%'); decodings++) {
    // Lenient: what is no encoding stays as it is.
    text = decode(text)
    if (text.search(secrets) >= 0 || holdsKey(text)) return true
  }
  return false
}

/** One row for each, in one order for all: two processes that lock the same rows in different orders would wait forever. */
export function statusRowsOf(counts: readonly PendingCount[]): (string | number)[][] {
  const sums = new Map<string, PendingCount>()
  for (const count of counts) {
    const name = `${count.accountId} ${count.day} ${count.status}`
    const known = sums.get(name)?.count ?? 0
    sums.set(name, { ...count, count: known + count.count })
  }
  return [...sums.keys()].sort().map((name) => {
    const { accountId, day, status, count } = sums.get(name) as PendingCount
    return [accountId, dayText(day), status, count]
  })
}

/** As `2026-03-01`, of a day since 1970. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
