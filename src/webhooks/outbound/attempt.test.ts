import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../../test/programs/free-port.ts'
import { openRawReceiver, openReceiver } from '../../../test/webhooks/receivers.ts'
import { openPoster, type PostLimits, type PostOutcome } from './post.ts'

const rules = { allowed: ['127.0.0.0/8', '::1'], allowsHttp: true, resolve: async () => [] }
const shortMs = 300
/** How late a timer may be on a busy machine. */
const lateMaxMs = 5_000
const never = new AbortController().signal

test('an endless response is cut at 4 KB, and its connection is closed soon after', async () => {
  const piece = 'y'.repeat(10_000)
  let pieces = 0
  const receiver = await openReceiver((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write(piece)) pieces++
    }
    response.on('drain', pour)
    pour()
  })
  const outcome = await open().post(receiver.url, {}, '{}', never)
  expect(outcome).toMatchObject({ status: 200, body: 'y'.repeat(4_096), error: undefined })
  await receiver.closed()
  expect(pieces).toBeLessThan(1_000)
})

test('a status counts even if its body never ends, and the received part of the body is returned', async () => {
  const receiver = await openReceiver((_request, response) => void response.writeHead(201).write('begun'))
  const outcome = await open({ attemptMaxMs: shortMs }).post(receiver.url, {}, '{}', never)
  expect(outcome).toMatchObject({ status: 201, body: 'begun', error: undefined })
  expect(outcome.durationMs).toBeGreaterThanOrEqual(shortMs - 1)
  await receiver.closed()
})

test('a compressed body is neither decompressed nor shown', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const receiver = await openReceiver((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  })
  expect(await postTo(receiver.url)).toMatchObject({ status: 200, body: '(gzip, not shown)' })
})

const bodies: [string, Buffer | string, string][] = [
  ['invalid UTF-8 is replaced', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ['NUL is removed', 'a\0b\0', 'ab'],
  ['a character is not cut in two', `${'x'.repeat(4_095)}ä and more`, 'x'.repeat(4_095)],
  ['exactly 4 KB are returned whole', 'z'.repeat(4_096), 'z'.repeat(4_096)],
  ['an empty body stays empty', '', ''],
]
test.for(bodies)('response body: %s', async ([, sent, told]) => {
  const receiver = await openReceiver((_request, response) => void response.end(sent))
  expect(await postTo(receiver.url)).toMatchObject({ status: 200, body: told })
})

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const answers: [string, string, Partial<PostOutcome>][] = [
  [
    'a redirect',
    'HTTP/1.1 301 Moved\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n',
    { status: 301, body: '' },
  ],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '' }],
  ['an early hint', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}`, { status: 200, body: 'ok' }],
  ['a body without a length', 'HTTP/1.0 500 Oops\r\n\r\nhelp', { status: 500, body: 'help' }],
  ['too short a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', { status: 200, body: 'ok' }],
  ['many hints', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11), { error: 'Too many interim answers.' }],
  [
    'only a hint',
    'HTTP/1.1 103 Early Hints\r\n\r\n',
    { error: 'The connection was closed before there was an answer.' },
  ],
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', { error: 'The answer is not valid HTTP.' }],
  [
    'a switch of protocols',
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    { error: 'The answer is not valid HTTP.' },
  ],
  [
    'a large header',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    { error: 'The header of the answer is too large.' },
  ],
  [
    'many headers',
    `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
    { error: 'The header of the answer is too large.' },
  ],
  ['nothing', '', { error: 'The connection was closed before there was an answer.' }],
]
test.for(answers)('the outcome describes the response: %s', async ([, sent, told]) => {
  const receiver = await openRawReceiver((socket) => void socket.end(sent))
  expect(await postTo(receiver.url)).toMatchObject(told)
})

test('a connection that is reset, refused or silent is described in words', async () => {
  const reset = await openRawReceiver((socket) => void socket.resetAndDestroy())
  const silent = await openRawReceiver(() => {})
  expect(await postTo(reset.url)).toMatchObject({ status: undefined, error: 'Connection reset.' })
  const outcome = await open({ attemptMaxMs: shortMs }).post(silent.url, {}, '{}', never)
  expect(outcome).toMatchObject({ body: undefined, error: 'No answer within 0.3 seconds.' })
  expect(await postTo(`http://127.0.0.1:${await findFreePort()}/`)).toMatchObject({
    error: 'Connection refused.',
  })
})

test('whatever a receiver responds, a post returns either a status or an error, in time', async () => {
  let answer = Buffer.alloc(0)
  const receiver = await openRawReceiver((socket) => void socket.end(answer))
  const poster = open({ attemptMaxMs: shortMs })
  const cut = fc.tuple(fc.nat(ok.length), fc.uint8Array({ maxLength: 40 }), fc.nat(ok.length))
  await fc.assert(
    fc.asyncProperty(cut, async ([from, noise, to]) => {
      answer = Buffer.concat([Buffer.from(ok.slice(0, from)), noise, Buffer.from(ok.slice(to))])
      const { status, body, error, durationMs } = await poster.post(receiver.url, {}, '{}', never)
      expect((status === undefined) !== (error === undefined)).toBe(true)
      expect(body === undefined).toBe(status === undefined)
      expect(durationMs).toBeLessThan(shortMs + lateMaxMs)
    }),
    { numRuns: 200 },
  )
})

function open(limits: Partial<PostLimits> = {}) {
  const poster = openPoster(rules, limits)
  onTestFinished(() => poster.close())
  return poster
}

function postTo(url: string): Promise<PostOutcome> {
  return open().post(url, {}, '{}', never)
}
