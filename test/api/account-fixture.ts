// Starts a real server with signed-in users, for tests of the routes that the dashboard app uses.
import { beforeEach, expect } from 'vitest'
import type { Role } from '../../src/access/accounts/accounts.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import type { Clock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import type { NewApiKey } from '../../web/account-api.ts'
import type { Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { addPerson } from '../sign-in/light-password.ts'
import { type Answer, password, Visitor } from '../sign-in/session-visitor.ts'
import { startTestServer, type TestServer } from './running-server.ts'

export { password }

export interface AccountFixture extends TestServer {
  readonly database: Database
  readonly dataDir: string
  signUp(email: string, more?: { readonly plan?: PlanName; readonly role?: Role }): Promise<Member>
  /** Calls the API with a key. */
  call(key: string, path?: string, options?: RequestInit): Promise<Response>
}

/** A user with a session. */
export interface Member {
  readonly email: string
  readonly accountId: string
  readonly visitor: Visitor
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  makeKey(name?: string): Promise<NewApiKey>
}

export async function openFixture(
  engine: Engine,
  env: Record<string, string> = {},
  clock?: Clock,
): Promise<AccountFixture> {
  const settings = await engine.settings(clock === undefined ? 'few' : 'migrated')
  const quiet = { LOG_LEVEL: 'warn', WEBHOOK_ALLOW_CIDR: '127.0.0.0/8' }
  const server = await startTestServer(engine, { ...quiet, ...settings, ...env }, clock)
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  return {
    ...server,
    database,
    dataDir: settings.DATA_DIR,
    signUp: (email, more = {}) => signUp(server, database, email, more),
    call: (key, path = '/watches', options = {}) =>
      server.get(`/api/v1${path}`, {
        ...options,
        headers: { authorization: `Bearer ${key}`, ...options.headers },
      }),
  }
}

/** Shares one fixture in a suite. The clock moves a minute before each test, so that no test is limited by others. */
export function shareFixture(engine: Engine, env: Record<string, string> = {}): () => AccountFixture {
  const fixture = share(() => openFixture(engine, env))
  beforeEach(() => fixture().wait(60_000))
  return fixture
}

async function signUp(
  { baseUrl }: TestServer,
  database: Database,
  email: string,
  more: { readonly plan?: PlanName; readonly role?: Role },
): Promise<Member> {
  const accountId = await addPerson(database, email)
  await database.write((tx) =>
    tx
      .updateTable('accounts')
      .set({ email, ...more })
      .where('id', '=', accountId)
      .execute(),
  )
  const visitor = new Visitor(baseUrl)
  expect((await visitor.signIn(email)).status).toBe(200)
  const ask: Member['ask'] = (method, path, body, headers = {}) =>
    sendJson(baseUrl + path, method, body, { cookie: visitor.headers.get('cookie') ?? '', ...headers })
  return {
    email,
    accountId,
    visitor,
    ask,
    async makeKey(name = 'mine') {
      const { status, body } = await ask('POST', '/api/account/keys', { name })
      expect(status).toBe(201)
      return body.data
    },
  }
}

export async function sendJson(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const { status } = response
  return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}
