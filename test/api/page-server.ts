// In charge of a server whose pages the tests of a file visit: by the real time, because better-auth has no other, and
// with people of their own in each test.
import { afterEach } from 'vitest'
import type { Engine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { runningClock } from '../manual-clock.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export interface PageServer extends TestServer {
  readonly dataDir: string
}

const minuteMs = 60_000

export function sharePages(
  engine: Engine,
  provide: () => Promise<Record<string, string>> = async () => ({}),
): () => PageServer {
  const server = share(() => startPages(engine, provide))
  // Attempts to sign in are counted by the minute: none is left of one test for the next.
  afterEach(() => server().wait(minuteMs))
  return server
}

async function startPages(
  engine: Engine,
  provide: () => Promise<Record<string, string>>,
): Promise<PageServer> {
  const settings = await engine.settings('few')
  const server = await startTestServer(engine, { ...settings, ...(await provide()) }, runningClock())
  return { ...server, dataDir: settings.DATA_DIR }
}

let people = 0

/** Of somebody whom no test has met before. */
export function newEmail(name = 'ada'): string {
  people++
  return `${name}-${people}@example.org`
}
