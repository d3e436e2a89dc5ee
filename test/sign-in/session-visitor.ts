// Provides a server with only the /api/auth routes on a real port, and visitors that sign in to it, each with its own
// cookie jar.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { provideSecret } from '../../src/access/sign-in/session-secret.ts'
import { Sessions } from '../../src/access/sign-in/sessions.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { Config } from '../../src/config.ts'
import { answerProblem, tellProblem } from '../../src/http/api/problems.ts'
import { limits } from '../../src/http/connection/limits.ts'
import { watchMethods } from '../../src/http/pages/methods.ts'
import { authRoutes } from '../../src/http/routes/auth.ts'
import { openLog } from '../../src/log.ts'
import { openMail } from '../../src/mail/open-mail.ts'
import { openAttempts } from '../../src/storage/attempts/open-attempts.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Engine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { endLater } from '../lifetime.ts'
import { findFreePort } from '../programs/free-port.ts'
import { CookieJar } from './cookie-jar.ts'
import { addPerson, lightCost, password } from './light-password.ts'

export interface SessionHouse {
  readonly database: Database
  readonly config: Config
  readonly sessions: Sessions
  readonly baseUrl: string
  /** All log output, at every level. */
  readonly logged: () => string
  /** Creates a visitor; `headers` are sent with its every request. */
  visitor(headers?: Record<string, string>): Visitor
  /** Creates an account and signs it in with `password`: for tests that are not about signing up. */
  enter(email?: string): Promise<Visitor>
  /** Starts another server on the same database, as another process would. */
  another(): Promise<SessionHouse>
}

interface HouseOptions {
  readonly clock?: Clock
  readonly settings?: Partial<Config>
}

export { password }

/** Uses the real clock by default: better-auth supports no other. */
export async function openHouse(engine: Engine, options: HouseOptions = {}): Promise<SessionHouse> {
  const { database, config } = await openFresh(engine)
  return serve(database, { ...config, ...options.settings }, options.clock ?? systemClock)
}

async function serve(database: Database, config: Config, clock: Clock): Promise<SessionHouse> {
  const lines: string[] = []
  const log = openLog({ ...config, logLevel: 'trace' }, { write: (line) => lines.push(line) })
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const mail = openMail(config, clock, log)
  const attempts = openAttempts(database, await provideSecret(database, config), log)
  const sessions = new Sessions({
    database,
    config,
    clock,
    log,
    mail,
    attempts: attempts.open,
    baseUrl,
    passwordCost: lightCost,
  })
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    routerOptions: { querystringParser: () => ({}) },
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler((error, request, reply) =>
    answerProblem(tellProblem(log, error, request.raw, request.id), reply),
  )
  const refuseOtherMethods = watchMethods(app)
  authRoutes(app, sessions, baseUrl)
  refuseOtherMethods()
  await app.listen({ host: '127.0.0.1', port })
  endLater(async () => {
    await app.close()
    await sessions.close()
    await attempts.close()
  })
  return {
    database,
    config,
    sessions,
    baseUrl,
    logged: () => lines.join(''),
    visitor: (headers) => new Visitor(baseUrl, headers),
    async enter(email = 'ada@example.org') {
      await addPerson(database, email, clock)
      const visitor = new Visitor(baseUrl)
      expect((await visitor.signIn(email)).status).toBe(200)
      return visitor
    },
    another: async () => serve(await openUnmigrated(config), config, clock),
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what it contains
  readonly body: any
}

/** A minimal browser: it stores cookies and sends the Origin header. */
export class Visitor {
  readonly #jar = new CookieJar()
  readonly #baseUrl: string
  readonly #headers: Record<string, string>

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.#baseUrl = baseUrl
    this.#headers = { origin: baseUrl, 'user-agent': 'visitor', ...headers }
  }

  /** The request headers as `find` of Sessions reads them. */
  get headers(): Headers {
    return new Headers({ cookie: '', ...this.#jar.header })
  }

  get cookies(): Map<string, string> {
    return this.#jar.cookies
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const json = { 'content-type': 'application/json', ...headers }
    return this.#send(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  }

  get(path: string): Promise<Answer> {
    return this.#send(path, { method: 'GET', headers: {} })
  }

  /** Requests a link from an email. */
  follow(link: string): Promise<Answer> {
    return this.get(link.slice(`${this.#baseUrl}/api/auth`.length))
  }

  signUp(email: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return this.post('/sign-up/email', { name: 'Ada', email, password, ...more })
  }

  signIn(email: string, secret = password): Promise<Answer> {
    return this.post('/sign-in/email', { email, password: secret })
  }

  async #send(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<Answer> {
    const headers = { ...this.#headers, ...this.#jar.header, ...init.headers }
    const answer = await fetch(`${this.#baseUrl}/api/auth${path}`, { ...init, headers, redirect: 'manual' })
    this.#jar.keep(answer)
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }
}

/** The emails in the outbox, oldest first. */
export async function outboxOf({ config }: { config: Pick<Config, 'dataDir'> }): Promise<string[]> {
  const directory = path.join(config.dataDir, 'outbox')
  const names = await readdir(directory).catch(() => [])
  return Promise.all(names.sort().map((name) => readFile(path.join(directory, name), 'utf8')))
}

/** Returns the only link in an email. */
export function linkIn(message = ''): string {
  return /^https?:\/\/\S+$/m.exec(message)?.[0] ?? ''
}

export function tokenIn(message = ''): string {
  return new URL(linkIn(message)).searchParams.get('token') ?? ''
}
