// Shares one server with the sample among all tests of a process that only read. It logs nothing: at the level debug
// every request would take the regular path, to be logged.
import { beforeAll } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { plentiful } from '../databases/open-database.ts'
import { copySqlite } from '../databases/template-databases.ts'
import { manualClock } from '../manual-clock.ts'
import { lightCost } from '../sign-in/light-password.ts'

/** A path for each kind of catalogue response, below /api/v1. */
export const catalogueAddresses = [
  '/watches',
  '/watches?sort=-id&facets=dial_color&fields=id',
  '/watches/1',
  '/brands',
  '/brands/rolex',
  '/brands/rolex/watches',
  '/specs',
  '/specs/dial_color',
  '/suggest?q=om',
]

export interface SampleServer extends Pick<RunningServer, 'baseUrl' | 'demoKey'> {
  /** Sends a GET request with the demo key. */
  get(path: string, options?: RequestInit): Promise<Response>
}

/** Stops with the process; its files are removed with the run. */
let running: Promise<RunningServer> | undefined

/** Starts before the first test. Use the result only in tests. */
export function serveSample(): SampleServer {
  let server: RunningServer | undefined
  beforeAll(async () => {
    running ??= start()
    server = await running
  })
  return {
    get: (path, options = {}) =>
      fetch(`${server?.baseUrl}${path}`, {
        ...options,
        headers: { authorization: `Bearer ${server?.demoKey}`, ...options.headers },
      }),
    get baseUrl() {
      return server?.baseUrl ?? ''
    },
    get demoKey() {
      return server?.demoKey
    },
  }
}

async function start(): Promise<RunningServer> {
  const settings = await copySqlite('sample')
  const config = parseConfig({ ...plentiful, ...settings, LOG_LEVEL: 'silent', PORT: '0', DRAIN_MS: '0' })
  return startServer(config, openLog(config), manualClock(), { passwordCost: lightCost })
}
