// Keeps a steady load on one URL for several accounts, and records every response: status, X-RateLimit-Remaining and
// the price it read.
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface LoadAccount {
  readonly key: string
  /** Requests per day. */
  readonly limit: number
  readonly callers: number
  /** How long each caller waits between two requests. */
  readonly everyMs: number
}

export interface Answer {
  readonly account: number
  readonly watchId: number
  readonly startedMs: number
  readonly endedMs: number
  /** 0 if there was no response. */
  readonly status: number
  /** The code of the connection error. */
  readonly error?: string
  readonly remaining: number
  readonly price?: number
}

const answerMaxMs = 30_000
const answersMax = 1_000_000

export class RecordingClient {
  readonly answers: Answer[] = []
  readonly #url: string
  readonly #accounts: readonly LoadAccount[]
  readonly #watchIds: readonly number[]
  readonly #agent = new http.Agent({ keepAlive: true })
  #running: Promise<unknown> = Promise.resolve()
  #isStopped = false

  constructor(url: string, accounts: readonly LoadAccount[], watchIds: readonly number[]) {
    this.#url = url
    this.#accounts = accounts
    this.#watchIds = watchIds
  }

  start(): void {
    const callers = this.#accounts.flatMap(({ callers, everyMs }, account) =>
      Array.from({ length: callers }, () => this.#call(account, everyMs)),
    )
    this.#running = Promise.all(callers)
  }

  /** Waits for the responses under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Requests of one account, one after the other, until it is refused; at most `max`. */
  async spend(account: number, max: number): Promise<void> {
    for (let sent = 0; sent < max; sent++) {
      if ((await this.#ask(account)).status === 429) return
    }
  }

  /** Ends the load, whatever is under way. */
  close(): void {
    this.#isStopped = true
    this.#agent.destroy()
  }

  async #call(account: number, everyMs: number): Promise<void> {
    // Spread over the interval.
    await delay(Math.random() * everyMs)
    while (!this.#isStopped && this.answers.length < answersMax) {
      await this.#ask(account)
      await delay(everyMs)
    }
  }

  async #ask(account: number): Promise<Answer> {
    const watchId = this.#watchIds[Math.floor(Math.random() * this.#watchIds.length)] ?? 0
    const { key = '' } = this.#accounts[account] ?? {}
    const answer = await askForWatch(this.#url, key, watchId, this.#agent)
    const recorded = { account, watchId, ...answer }
    this.answers.push(recorded)
    return recorded
  }
}

/** Requests one watch. Never throws. */
export function askForWatch(
  url: string,
  key: string,
  watchId: number,
  agent?: http.Agent,
): Promise<Omit<Answer, 'account' | 'watchId'>> {
  const startedMs = performance.now()
  const options = {
    headers: { authorization: `Bearer ${key}` },
    timeout: answerMaxMs,
    ...(agent === undefined ? {} : { agent }),
  }
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message
      resolve({ startedMs, endedMs: performance.now(), status: 0, error: code, remaining: Number.NaN })
    }
    const request = http.get(`${url}/api/v1/watches/${watchId}`, options, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('error', fail)
        .once('end', () => {
          const status = response.statusCode ?? 0
          const remaining = Number(response.headers['x-ratelimit-remaining'] ?? Number.NaN)
          const price = status === 200 ? { price: priceIn(Buffer.concat(chunks)) } : {}
          resolve({ startedMs, endedMs: performance.now(), status, remaining, ...price })
        })
    })
    request
      .once('timeout', () => request.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })))
      .once('error', fail)
  })
}

function priceIn(body: Buffer): number {
  return Number(JSON.parse(body.toString()).data.retail_price_usd)
}
