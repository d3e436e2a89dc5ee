// Parses and checks the options of `watchdata sync` before any request is sent. Each fault is reported in one sentence.
import { apiOf, keyOf, WrongCall } from '../connection-options.ts'
import type { CommonOptions } from '../output.ts'

export interface SyncOptions extends CommonOptions {
  readonly to: string
  readonly url: string
  readonly key?: string
  readonly follow?: boolean
}

export interface SyncPlan {
  readonly format: 'ndjson' | 'sqlite'
  readonly file: string
  /** The base URL, including /api/v1. */
  readonly api: string
  readonly key: string
  readonly isFollowing: boolean
  readonly isJson: boolean
}

const sqlitePrefix = 'sqlite:'

export function parseSyncOptions({ to, url, key, follow = false, json = false }: SyncOptions): SyncPlan {
  const isSqlite = to.startsWith(sqlitePrefix)
  const file = isSqlite ? to.slice(sqlitePrefix.length) : to
  if (file === '' || file === '-' || file.includes('\0')) {
    throw new WrongCall('--to must name a file: write it as watches.ndjson or sqlite:watches.db.')
  }
  return {
    format: isSqlite ? 'sqlite' : 'ndjson',
    file,
    api: apiOf(url),
    key: keyOf(key, 'A copy'),
    isFollowing: follow,
    isJson: json,
  }
}
