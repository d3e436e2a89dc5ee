// Provides a local program for `watchdata listen` to forward to, and a fake service with scripted responses.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Arrived {
  readonly headers: Record<string, string>
  readonly body: string
}

export interface LocalReceiver {
  readonly url: string
  readonly arrived: readonly Arrived[]
  /** Resolves with the first `count` deliveries. */
  first(count: number): Promise<readonly Arrived[]>
}

/** Responds with 204, or with each of `statuses` in order. */
export async function openReceiver(...statuses: number[]): Promise<LocalReceiver> {
  const arrived: Arrived[] = []
  const waiting = new Set<() => void>()
  const url = await openServer(async (request, response) => {
    const body = await text(request)
    arrived.push({ headers: request.headers as Record<string, string>, body })
    const status = statuses.shift() ?? 204
    response.writeHead(status).end(status === 204 ? undefined : 'as the test wants it\nand more')
    for (const look of waiting) look()
  })
  return {
    url: `${url}/events`,
    arrived,
    first(count) {
      const { promise, resolve } = Promise.withResolvers<readonly Arrived[]>()
      const look = () => arrived.length >= count && resolve(arrived.slice(0, count))
      waiting.add(() => void look())
      look()
      return promise
    },
  }
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface FakeFeed {
  readonly url: string
  readonly asked: readonly IncomingMessage[]
}

/** Returns the responses in order. Further requests hang, as while waiting for a change. */
export async function openFeed(...answers: FakeAnswer[]): Promise<FakeFeed> {
  const asked: IncomingMessage[] = []
  const url = await openServer((request, response) => {
    asked.push(request)
    const answer = answers.shift()
    if (answer === undefined) return
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  return { url, asked }
}

/** Builds a response of /changes. */
export function feedAnswer(changes: readonly object[], cursor: string, hasMore = false): FakeAnswer {
  const body = JSON.stringify({ data: changes, meta: { next_cursor: cursor, has_more: hasMore } })
  return { headers: { etag: `"of ${cursor}"`, 'content-type': 'application/json' }, body }
}

async function openServer(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
