// What an attack is given, and what it tells.
import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A slow client must be cut within this time. */
export const slowMaxMs = 15_000
/** Connections of the honest caller and of whoever reads the metrics. */
export const otherConnections = 20

/** Passed to the process of the attacker as JSON. */
export interface Target {
  readonly url: string
  readonly dataDir: string
  /** Keys of accounts on the Free plan. */
  readonly freeKeys: readonly string[]
  /** Spec keys of the catalogue. */
  readonly specKeys: readonly string[]
  /** The address of the attacker. */
  readonly address: string
  readonly seconds: number
}

export interface Told {
  /** What the attacker reached, in a few words. */
  readonly reached: string
  /** A bound that was broken, if any. */
  readonly broken?: string
}

export interface Attack {
  readonly name: string
  readonly run: (target: Target) => Promise<Told>
}

export interface Answer {
  /** 0 where there was no response. */
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface Asking {
  readonly key?: string | undefined
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Each request has a connection of its own. */
export function ask({ url, address }: Target, path: string, asking: Asking = {}): Promise<Answer> {
  const { key, method = 'GET', headers, body } = asking
  return new Promise((resolve) => {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = {
      localAddress: address,
      method,
      headers: { accept: 'text/html', ...authorization, ...headers, ...length },
      agent: false,
    }
    const fail = () => resolve({ status: 0, headers: {}, body: '' })
    const request = http.request(`${url}${encodeURI(path)}`, options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('error', fail).once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces).toString(),
        }),
      )
    })
    request.once('error', fail).end(body)
  })
}

/** `45 × 200, 5 × 429`. */
export function tally(answers: readonly Pick<Answer, 'status'>[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status)
  return [...counts]
    .map(([status, of]) => `${of.length} × ${status === 0 ? 'no response' : status}`)
    .join(', ')
}

/** Calls `work` `perSecond` times a second without waiting for it, and waits for all of them at the end. */
export async function atRate(seconds: number, perSecond: number, work: () => Promise<void>): Promise<void> {
  const running: Promise<void>[] = []
  for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; ) {
    running.push(work())
    await delay(1_000 / perSecond)
  }
  await Promise.allSettled(running)
}

function randomPrice(): string {
  return (1_000 + Math.random() * 20_000).toFixed(2)
}

/** Eight price bounds that nobody has asked for before. */
export function eightBounds(): string {
  const fields = ['retail_price_usd', 'current_market_price']
  const low = fields.flatMap((field) => [
    `${field}[gte]=${randomPrice()}`,
    `${field}[gt]=${(Math.random() * 500).toFixed(2)}`,
  ])
  const high = fields.flatMap((field) => [
    `${field}[lte]=9${randomPrice()}`,
    `${field}[lt]=99${randomPrice()}`,
  ])
  return [...low, ...high].join('&')
}
