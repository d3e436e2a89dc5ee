// Starts a server whose pages the tests of a file visit. It uses the real clock, because better-auth supports no
// other, and each test creates its own users.
import { afterEach } from 'vitest'
import type { Engine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { runningClock } from '../manual-clock.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export interface PageServer extends TestServer {
  readonly dataDir: string
}

const minuteMs = 60_000
/** The time between the tests of a file that signs up more users than one address may in a day. */
export const dayMs = 86_400_000

export function sharePages(
  engine: Engine,
  provide: () => Promise<Record<string, string>> = async () => ({}),
  betweenTestsMs = minuteMs,
): () => PageServer {
  const server = share(() => startPages(engine, provide))
  // Sign-in attempts are counted by the minute: none carries over to the next test.
  afterEach(() => server().wait(betweenTestsMs))
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

/** Returns an e-mail address that no other test uses. */
export function newEmail(name = 'ada'): string {
  people++
  return `${name}-${people}@example.org`
}
