// Tests what the SDK does when the network or the service fails: what is sent again, how, and when it gives up.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ClientOptions,
  ConnectionError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  Watchdata,
  WatchdataError,
} from '../../sdk/src/index.ts'
import { patience } from '../patience.ts'
import { cut, type FaultyHandler, json, openFaultyServer, silent } from './faulty-server.ts'
import { recordedClient } from './recorded-client.ts'

const watch = json(200, { data: { id: 1 } })
const unavailable = json(503, { message: 'The service is not ready.' })

async function open(handlers: readonly FaultyHandler[], options: Partial<ClientOptions> = {}) {
  const server = await openFaultyServer(...handlers)
  return { ...server, client: new Watchdata({ apiKey: 'key', baseUrl: server.baseUrl, ...options }) }
}

// No jitter: the next attempt comes at once.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a request that failed', () => {
  test.each([408, 409, 500, 502, 503, 504])('with %i is sent again', async (status) => {
    const { client, requests } = await open([json(status, {}), watch])
    expect((await client.watches.get(1)).id).toBe(1)
    expect(requests).toHaveLength(2)
  })

  test('because the connection was cut is sent again, also in the middle of the body', async () => {
    const half: FaultyHandler = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"data"')
      setImmediate(() => response.destroy())
    }
    const { client, requests } = await open([cut, half, watch])
    expect((await client.watches.get(1)).id).toBe(1)
    expect(requests).toHaveLength(3)
  })

  test('by its own fault is not', async () => {
    for (const status of [400, 401, 403, 404, 405, 413, 422]) {
      const { client, requests } = await open([json(status, { message: 'no' })])
      await expect(client.watches.get(1)).rejects.toMatchObject({
        status,
        message: `GET /watches/1: ${status} no`,
      })
      expect(requests).toHaveLength(1)
    }
  })

  test('too often ends with the last error', async () => {
    const { client, requests } = await open([unavailable])
    await expect(client.watches.get(1)).rejects.toBeInstanceOf(ServiceUnavailableError)
    await expect(client.watches.get(1, { maxRetries: 0 })).rejects.toMatchObject({
      status: 503,
      requestId: 'r-1',
    })
    expect(requests).toHaveLength(4)
  })

  test('is a ConnectionError with its cause, where nobody listens', async () => {
    const client = new Watchdata({ apiKey: 'key', baseUrl: 'http://127.0.0.1:9', maxRetries: 1 })
    const error = await client.watches.get(1).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: 'GET /watches/1: the connection failed',
      cause: expect.any(Error),
    })
  })

  test('to delete is done when it finds nothing any more, but not at its first attempt', async () => {
    const missing = json(404, { message: 'Resource not found.' })
    const { client } = await open([cut, missing])
    expect(await client.webhooks.delete(1)).toBeUndefined()
    await expect(client.webhooks.delete(1)).rejects.toMatchObject({ status: 404 })
  })

  test('has one idempotency key for all attempts, and another one than other requests', async () => {
    const { client, requests } = await open([unavailable, cut, json(201, { data: { id: 1 } })])
    await client.webhooks.create({ endpoint_url: 'https://example.com' })
    await client.webhooks.test(1)
    await client.webhooks.rotateSecret(1, { idempotencyKey: 'mine' })
    await client.webhooks.update(1, { status: 'paused' })
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(keys[3]).not.toBe(keys[0])
    expect(keys.slice(4)).toEqual(['mine', undefined])
  })
})

describe('a Retry-After', () => {
  test('is waited for, as seconds and as a date', async () => {
    const { client, requests } = await open([json(503, {}, { 'retry-after': '1' }), watch])
    const startedMs = performance.now()
    await client.watches.get(1)
    expect(performance.now() - startedMs).toBeGreaterThan(990)
    expect(requests).toHaveLength(2)
    const past = new Date(Date.now() - 5_000).toUTCString()
    const dated = await open([json(503, {}, { 'retry-after': past }), watch])
    expect((await dated.client.watches.get(1)).id).toBe(1)
  })

  test('of more than a minute is not: the error comes at once', async () => {
    const { client, requests } = await open([json(503, {}, { 'retry-after': '61' })])
    await expect(client.watches.get(1)).rejects.toBeInstanceOf(ServiceUnavailableError)
    const other = await open([json(429, {}, { 'retry-after': '3600', 'x-ratelimit-reset': '1772409601' })])
    await expect(other.client.watches.get(1)).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterSeconds: 3_600,
    })
    expect([requests.length, other.requests.length]).toEqual([1, 1])
  })

  test('of a spent day is never slept out, not even a second before midnight', async () => {
    for (const seconds of ['1', '259200']) {
      const spent = json(429, {}, { 'retry-after': seconds, 'x-ratelimit-reset': '1772409600' })
      const { client, requests } = await open([spent, watch])
      const error = await client.watches.get(1).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(QuotaExceededError)
      expect(error).toBeInstanceOf(RateLimitError)
      expect((error as QuotaExceededError).resetAt).toEqual(new Date('2026-03-02T00:00:00Z'))
      expect(requests).toHaveLength(1)
    }
  })
})

describe('a call ends at once when it is aborted', () => {
  const waitingFor = async (handler: FaultyHandler) => {
    const { client, requests } = await open([handler])
    const abort = new AbortController()
    const call = client.watches.get(1, { signal: abort.signal })
    const ended = expect(call).rejects.toBe('enough')
    await vi.waitFor(() => expect(requests).toHaveLength(1), patience)
    const end = () => {
      abort.abort('enough')
      return ended
    }
    return { requests, end }
  }

  test('while it waits for the response', async () => {
    const { end } = await waitingFor(silent)
    await end()
  })

  test('while it waits for the next attempt', async () => {
    const { end, requests } = await waitingFor(json(503, {}, { 'retry-after': '50' }))
    await end()
    expect(requests).toHaveLength(1)
  })

  test('before it began', async () => {
    const { client, requests } = await open([watch])
    const signal = AbortSignal.abort('never')
    await expect(client.watches.get(1, { signal })).rejects.toBe('never')
    expect(requests).toHaveLength(0)
  })
})

describe('the timeout', () => {
  test('covers the headers and the body of each attempt', async () => {
    const headersOnly: FaultyHandler = (response) => {
      response.writeHead(200).write('{')
    }
    const { client, requests } = await open([silent, headersOnly, watch], { timeoutMs: 100 })
    expect((await client.watches.get(1)).id).toBe(1)
    expect(requests).toHaveLength(3)
  })

  test('is told in the error', async () => {
    const { client } = await open([silent])
    const error = await client.watches
      .get(1, { timeoutMs: 50, maxRetries: 0 })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toHaveProperty('message', 'GET /watches/1: no response within 50 ms')
  })

  test('may be as long as one likes', async () => {
    const { client } = await open([watch], { timeoutMs: Number.POSITIVE_INFINITY })
    expect((await client.watches.get(1)).id).toBe(1)
  })
})

test('a mistake of the caller rejects, and sends nothing', async () => {
  const { client, requests } = await open([watch])
  await expect(client.brands.get('..')).rejects.toThrow('".." cannot be an id')
  await expect(client.watches.list({ ids: [] })).rejects.toThrow('ids must not be empty')
  await expect(client.brands.watches('', {})).rejects.toThrow(TypeError)
  expect(requests).toHaveLength(0)
})

test('a response of somebody else is told as such', async () => {
  const page: FaultyHandler = (response) => {
    response.writeHead(200).end('<html>')
  }
  const { client, requests } = await open([page])
  const error = await client.watches.get(1).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(WatchdataError)
  expect(error).toMatchObject({
    message: expect.stringContaining('is not JSON'),
    body: '<html>',
    status: 200,
  })
  expect(requests).toHaveLength(1)
})

test('a page of a browser needs no permission for headers but those that the service allows', async () => {
  const { baseUrl } = await openFaultyServer(json(201, { data: { id: 1 } }, { etag: '"1"' }))
  const { client, exchanged } = recordedClient({ apiKey: 'key', baseUrl, cache: true })
  await client.watches.get(1)
  await client.watches.get(1)
  await client.webhooks.create({ endpoint_url: 'https://example.com' })
  const sent = new Set(exchanged.flatMap(({ headers }) => [...headers.keys()]))
  expect([...sent].toSorted()).toEqual(['authorization', 'content-type', 'idempotency-key', 'if-none-match'])
})
