// In charge of one server on the sample for all tests of a file that only read. It is silent: at the level debug every
// request would go the long way, to be logged.
import { afterAll, beforeAll } from 'vitest'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { createEngine } from '../engines.ts'
import { freshConfig, manualClock } from '../open-database.ts'

/** One of every kind of answer the catalogue has, below /api/v1. */
export const catalogueAddresses = [
  '/watches',
  '/watches?sort=-id&facets=dial_color&fields=id',
  '/watches/1',
  '/brands',
  '/brands/rolex',
  '/brands/rolex/watches',
  '/specs',
  '/specs/dial_color',
]

/** Starts before the first test and is closed after the last; to be looked at only in between. */
export function serveSample(): Pick<RunningServer, 'baseUrl' | 'demoKey'> {
  const engine = createEngine()
  let server: RunningServer | undefined
  beforeAll(async () => {
    const config = await freshConfig(engine)
    server = await startServer(config, openLog(config), manualClock())
  })
  afterAll(() => server?.close())
  return {
    get baseUrl() {
      return server?.baseUrl ?? ''
    },
    get demoKey() {
      return server?.demoKey
    },
  }
}
