// Parses and checks the options of `watchdata sync` before any request is sent. Each fault is reported in one sentence.
import { WrongCall } from '../listen/listen-options.ts'
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

const apiPath = '/api/v1'
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
    key: keyOf(key),
    isFollowing: follow,
    isJson: json,
  }
}

/** Accepts the URL with or without the path of the API. */
function apiOf(raw: string): string {
  const url = URL.parse(raw)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new WrongCall(`--url ${raw} is no address: write it as https://watches.example.com.`)
  }
  if (url.username + url.password !== '') {
    // The password would be printed in messages, and stored with the copy.
    throw new WrongCall('--url must not have a user name or password in it.')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path.endsWith(apiPath) ? path : path + apiPath)
}

function keyOf(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new WrongCall('A copy needs an API key: set WATCHDATA_KEY to yours.')
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new WrongCall('The API key has characters that no key has: copy it once more.')
  }
  return key
}
