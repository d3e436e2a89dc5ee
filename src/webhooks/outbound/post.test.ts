import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openRawReceiver, openReceiver } from '../../../test/webhooks/receivers.ts'
import { openPoster, type PostLimits, type PostOutcome } from './post.ts'

const rules = { allowed: ['127.0.0.0/8', '::1'], allowsHttp: true, resolve: async () => [] }
const shortMs = 300
const never = new AbortController().signal

test('a post arrives as given, and its response is returned', async () => {
  const requests: unknown[] = []
  const receiver = await openReceiver(async (request, response) => {
    requests.push([request.method, request.url, request.headers, await text(request)])
    response.writeHead(202).end('thank you')
  })
  const { post } = open()
  const outcome = await post(`${receiver.url}/a?b=c%20d#e`, { 'webhook-id': 'msg_1' }, '{"ä":1}', never)
  expect(outcome).toEqual({
    status: 202,
    body: 'thank you',
    error: undefined,
    durationMs: expect.any(Number),
  })
  const headers = { 'webhook-id': 'msg_1', 'accept-encoding': 'identity', 'content-length': '8' }
  expect(requests).toEqual([['POST', '/hook/a?b=c%20d', expect.objectContaining(headers), '{"ä":1}']])
})

test('consecutive posts reuse one connection, even after responses longer than what is returned', async () => {
  const receiver = await openReceiver((_request, response) => void response.end('x'.repeat(20_000)))
  const poster = open()
  for (let posts = 0; posts < 30; posts++) {
    const { status, body } = await poster.post(receiver.url, {}, '{}', never)
    expect([status, body?.length]).toEqual([200, 4_096])
  }
  expect(receiver.connections()).toBeLessThanOrEqual(2)
})

test('an endless response does not keep other posts from the receiver', async () => {
  const receiver = await openReceiver((request, response) => {
    if (request.url === '/hook/quick') response.end('well')
    else response.write('x'.repeat(5_000))
  })
  const poster = open()
  // As many as there are connections per origin.
  for (let posts = 0; posts < 64; posts++) await poster.post(receiver.url, {}, '{}', never)
  const { status, durationMs } = await poster.post(`${receiver.url}/quick`, {}, '{}', never)
  expect(status).toBe(200)
  expect(durationMs).toBeLessThan(5_000)
})

test('parallel posts use at most 64 connections, and all get a response', async () => {
  const receiver = await openReceiver((_request, response) => void setImmediate(() => response.end()))
  const poster = open()
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, () => poster.post(receiver.url, {}, '{}', never)),
  )
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(500)
  expect(receiver.connections()).toBe(64)
})

test('a connection that is closed as it is reused is not a failure: the post is sent on another', async () => {
  const seen = new WeakSet<Socket>()
  const receiver = await openReceiver(({ socket }, response) => {
    if (seen.has(socket)) socket.resetAndDestroy()
    else response.end()
    seen.add(socket)
  })
  const poster = open()
  for (let posts = 0; posts < 4; posts++) {
    expect(await poster.post(receiver.url, {}, '{}', never)).toMatchObject({ status: 200 })
  }
  expect(receiver.connections()).toBe(4)
})

test('a new connection that is closed without a response is a failure, and nothing is sent twice', async () => {
  let requests = 0
  const receiver = await openReceiver(({ socket }) => {
    requests++
    socket.destroy()
  })
  expect(await postTo(receiver.url)).toMatchObject({ status: undefined, error: expect.any(String) })
  expect(requests).toBe(1)
})

test('a post that was aborted while it waited for a connection is not sent later', async () => {
  const held: ServerResponse[] = []
  const { promise: isFull, resolve } = Promise.withResolvers<void>()
  const receiver = await openReceiver((_request, response) => {
    if (held.push(response) === 64) resolve()
    if (held.length > 64) response.end()
  })
  const poster = open()
  const first = Array.from({ length: 64 }, () => poster.post(receiver.url, {}, '{}', never))
  const givingUp = new AbortController()
  const waiting = Array.from({ length: 6 }, () => poster.post(receiver.url, {}, '{}', givingUp.signal))
  await isFull
  givingUp.abort()
  await Promise.all(waiting)
  for (const response of held) response.end()
  await Promise.all(first)
  expect(await poster.post(receiver.url, {}, '{}', never)).toMatchObject({ status: 200 })
  expect(held).toHaveLength(65)
})

test('a host whose lookup takes too long is reported as not connected', async () => {
  const poster = openPoster({ ...rules, resolve: () => new Promise(() => {}) }, { attemptMaxMs: shortMs })
  onTestFinished(() => poster.close())
  expect(await poster.post('https://slow.example/', {}, '{}', never)).toMatchObject({
    error: 'No connection within 0.3 seconds.',
  })
})

test('a post that cannot be sent returns an error, and does not throw', async () => {
  const receiver = await openReceiver((_request, response) => void response.end())
  const { post } = open()
  expect(await post('not a url', {}, '{}', never)).toMatchObject({
    status: undefined,
    error: expect.any(String),
  })
  expect(await post(receiver.url, { 'bad header': 'x' }, '{}', never)).toMatchObject({
    error: expect.any(String),
  })
  expect(await post(receiver.url, { a: 'x\r\ny: z' }, '{}', never)).toMatchObject({
    error: expect.any(String),
  })
  expect(receiver.connections()).toBe(0)
})

test('plain http is not sent where it is not allowed', async () => {
  const receiver = await openReceiver((_request, response) => void response.end())
  const poster = openPoster({ ...rules, allowsHttp: false })
  onTestFinished(() => poster.close())
  const outcome = await poster.post(receiver.url, {}, '{}', never)
  expect([outcome.error, receiver.connections()]).toEqual(['Plain http is not allowed.', 0])
})

test('when the service stops, posts in flight end at once, and later ones are not sent', async () => {
  const stopping = new AbortController()
  const receiver = await openRawReceiver(() => stopping.abort())
  const poster = open()
  const stopped = { status: undefined, error: 'The service is stopping.' }
  expect(await poster.post(receiver.url, {}, '{}', stopping.signal)).toMatchObject(stopped)
  expect(await poster.post(receiver.url, {}, '{}', stopping.signal)).toMatchObject(stopped)
  await poster.close()
  expect(await poster.post(receiver.url, {}, '{}', never)).toMatchObject(stopped)
  expect(receiver.connections()).toBe(1)
})

test('closing ends posts in flight', async () => {
  const poster = open()
  const receiver = await openRawReceiver(() => void poster.close())
  const outcome = await poster.post(receiver.url, {}, '{}', never)
  expect(outcome).toMatchObject({ status: undefined, error: 'The service is stopping.' })
})

function open(limits: Partial<PostLimits> = {}) {
  const poster = openPoster(rules, limits)
  onTestFinished(() => poster.close())
  return poster
}

function postTo(url: string): Promise<PostOutcome> {
  return open().post(url, {}, '{}', never)
}
