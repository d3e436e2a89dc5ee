// Tests the open-loop load generator against small servers: what it must not hide, and what it must refuse.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { OpenLoop, OpenLoopResult } from '../../bench/measure/open-loop.ts'
import { writeRequests } from '../../bench/measure/request-file.ts'
import { packageRoot } from '../../src/config.ts'
import { endLater } from '../lifetime.ts'

const stallMs = 200

test('a stall shows in every request that was due meanwhile, not only in those on the way', async () => {
  const stalledAt = 700
  let count = 0
  const url = await serve((_request, response) => {
    // Blocks the whole server, as a slow query or a garbage collection would.
    if (++count === stalledAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
    response.end('hello')
  })
  // 200 of 1,000 requests are due during the stall. A closed loop would delay only one per connection: 0.4 %.
  const result = await send({ url, perSecond: 1_000, seconds: 1, warmUpSeconds: 0.2, connections: 4 })
  expect(result.measured).toBe(1_000)
  expect(result.p99Ms).toBeGreaterThan(stallMs * 0.75)
})

test('a body in many chunks is read to its end', async () => {
  const url = await serve((_request, response) => response.end('x'.repeat(1_000_000)))
  expect((await send({ url })).measured).toBe(10)
})

test('a 304 has no body, whatever its Content-Length', async () => {
  const url = await serve((_request, response) => response.writeHead(304, { 'content-length': 5 }).end())
  expect((await send({ url, status: 304 })).measured).toBe(10)
})

test('an unexpected status makes the run fail', async () => {
  const url = await serve((_request, response) => response.writeHead(503).end())
  await expect(send({ url })).rejects.toThrow('status 503 instead of 200')
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endLater(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends ten measured requests, unless told otherwise. */
async function send(load: Partial<OpenLoop>): Promise<OpenLoopResult> {
  const directory = mkdtempSync(path.join(tmpdir(), 'watchdata-open-loop-'))
  endLater(() => rmSync(directory, { recursive: true }))
  const requestsFile = path.join(directory, 'requests')
  writeRequests(requestsFile, { Accept: '*/*' }, [{ path: '/a' }, { path: '/b', etag: '"c"' }])
  const rate = { perSecond: 100, seconds: 0.1, warmUpSeconds: 0, connections: 2 }
  const plan = { requestsFile, skipped: 0, status: 200, ...rate, ...load }
  const generator = path.join(packageRoot, 'bench/measure/open-loop.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(plan)])
  return JSON.parse(stdout.replace('RESULT ', ''))
}
