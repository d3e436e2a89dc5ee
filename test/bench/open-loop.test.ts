// Tests the open-loop load generator against small servers: what it must not hide, and what it must refuse.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { applyOpenLoad } from '../../bench/measure/open-load.ts'
import { writeRequests } from '../../bench/measure/request-file.ts'
import { endLater } from '../lifetime.ts'
import { canPin } from './can-pin.ts'

const stallMs = 200

test.skipIf(!canPin)(
  'a stall shows in every request that was due meanwhile, not only in those on the way',
  async () => {
    const stalledAt = 700
    let count = 0
    const url = await serve((_request, response) => {
      // Blocks the whole server, as a slow query or a garbage collection would.
      if (++count === stalledAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
      response.end('hello')
    })
    // 200 of 1,000 requests are due during the stall. A closed loop would delay no more than the 4 connections: 0.4 %.
    const result = await send(url, { perSecond: 1_000, seconds: 1, connections: 4 })
    expect(result.measured).toBe(1_000)
    expect(result.p99Ms).toBeGreaterThan(stallMs * 0.75)
  },
)

test.skipIf(!canPin)('bodies in many chunks and responses without a body are told apart', async () => {
  const url = await serve((_request, response) => response.end('x'.repeat(1_000_000)))
  expect((await send(url, { perSecond: 50, seconds: 0.5 })).measured).toBe(25)
  const empty = await serve((_request, response) => response.writeHead(304, { 'content-length': 5 }).end())
  expect((await send(empty, { perSecond: 50, seconds: 0.5, status: 304 })).measured).toBe(25)
})

test.skipIf(!canPin)('an unexpected status makes the run fail', async () => {
  const url = await serve((_request, response) => response.writeHead(503).end())
  await expect(send(url, { perSecond: 100, seconds: 0.1 })).rejects.toThrow('status 503 instead of 200')
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endLater(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function send(
  url: string,
  load: { perSecond: number; seconds: number; connections?: number; status?: number },
) {
  const directory = mkdtempSync(path.join(tmpdir(), 'watchdata-open-loop-'))
  endLater(() => rmSync(directory, { recursive: true }))
  const requestsFile = path.join(directory, 'requests')
  writeRequests(requestsFile, { Accept: '*/*' }, [{ path: '/a' }, { path: '/b', etag: '"c"' }])
  return applyOpenLoad({ url, requestsFile, skipped: 0, status: 200, ...load })
}
