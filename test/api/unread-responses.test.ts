// Tests on real connections that no client can take the memory or the connections of the others: by not reading, by
// pipelining, or by opening many connections.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { readSendQueues } from '../../src/http/connection/kernel-queues.ts'
import { limits } from '../../src/http/connection/limits.ts'
import { type Handler, openListener } from '../../src/http/connection/listener.ts'
import type { ConnectionCut } from '../../src/metrics.ts'

/** More than the operating system takes at once of a connection whose client does not read. */
const largeBytes = 6 * 1_024 * 1_024
const large = Buffer.alloc(largeBytes)

describe('pipelined requests', () => {
  test('are started one after the other, and answered in order', async () => {
    const running: ServerResponse[] = []
    const started: string[] = []
    const { client } = await serve({}, ({ url = '' }, response) => {
      started.push(url)
      running.push(response)
    })
    const socket = await client()
    const received = read(socket)
    socket.write(['/1', '/2', '/3'].map(request).join(''))
    for (const path of ['/1', '/2', '/3']) {
      await expect.poll(() => started.at(-1)).toBe(path)
      expect(running).toHaveLength(1)
      running.pop()?.end(`to ${path}.`)
    }
    await expect.poll(() => received().match(/to ..\./g)).toEqual(['to /1.', 'to /2.', 'to /3.'])
  })

  test('of a client that does not read are not started, and the client owes one response at most', async () => {
    let started = 0
    const { client, connections } = await serve({}, (_request, response) => {
      started++
      response.end(large)
    })
    const socket = await client()
    socket.pause().write(request('/').repeat(10))
    await expect.poll(() => connections.owed.total).toBeGreaterThan(0)
    expect(started).toBe(1)
    expect(connections.owed.total).toBeLessThan(largeBytes * 1.1)
    const received = read(socket)
    await expect.poll(() => started).toBe(10)
    await expect.poll(() => received().length).toBeGreaterThan(10 * largeBytes)
    await expect.poll(() => connections.owed.total).toBe(0)
  })

  test('after a response that closes the connection are not started', async () => {
    const started: string[] = []
    const { client } = await serve({}, ({ url = '' }, response) => {
      started.push(url)
      response.setHeader('connection', 'close').end()
    })
    const socket = await client()
    socket.resume().write(request('/1') + request('/2'))
    await once(socket, 'close')
    expect(started).toEqual(['/1'])
  })
})

describe('an address that owes too much', () => {
  test('waits for its next responses until it has read, and others do not wait', async () => {
    const { client, connections } = await serve({}, (_request, response) => response.end(large))
    const unread = await Promise.all([client(), client(), client()])
    for (const socket of unread) socket.pause().write(request('/'))
    await expect.poll(() => connections.owed.total).toBeGreaterThan(limits.owedBytesPerAddress)
    const waiting = await client()
    const received = read(waiting)
    waiting.write(request('/'))
    const other = await client('127.0.0.2')
    const receivedByOther = read(other)
    other.write(request('/'))
    await expect.poll(() => receivedByOther().length).toBeGreaterThan(largeBytes)
    expect(received()).toBe('')
    for (const socket of unread) socket.resume()
    await expect.poll(() => received().length).toBeGreaterThan(largeBytes)
  })

  test('is cut where all together owe more than SEND_MB, and those who owe less are served', async () => {
    const { client, connections, cuts } = await serve({ SEND_MB: '7' }, ({ url }, response) =>
      response.end(url === '/small' ? large.subarray(0, largeBytes / 2) : large),
    )
    const small = await client('127.0.0.2')
    small.pause().write(request('/small'))
    const greedy = [await client(), await client(), await client(), await client()]
    for (const socket of greedy) socket.pause().write(request('/'))
    await expect.poll(() => cuts).toContain('unread_bytes')
    expect(connections.owed.total).toBeLessThan(7 * 1_024 * 1_024)
    const received = read(small)
    await expect.poll(() => received().length).toBeGreaterThan(largeBytes / 2)
  })
})

test('a client that reads a few bytes each second is cut within 15 seconds, one that reads steadily is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { client, cuts, checked, connections } = await serve({}, (_request, response) => response.end(large))
  const [trickling, steady] = [await client(), await client()]
  for (const socket of [trickling, steady]) socket.on('readable', () => {}).write(request('/'))
  await expect.poll(() => connections.owed.total).toBeGreaterThan(0)
  let steadyBytes = 0
  for (let second = 1; second < 15; second++) {
    trickling.read(10)
    for (const until = second * 400_000; steadyBytes < until; await setImmediate()) {
      steadyBytes += steady.read()?.length ?? 0
    }
    vi.advanceTimersByTime(1_000)
    await checked()
  }
  expect(cuts).toEqual(['slow_reader'])
  expect(connections.sockets.size).toBe(1)
  expect(steady.destroyed).toBe(false)
})

describe('an address with many connections', () => {
  /** Connections of the address that are read directly. */
  const crowd = (client: () => Promise<Socket>) =>
    Promise.all(Array.from({ length: limits.readDirectly }, () => client()))

  test('gets the same responses on every further one: pipelined, with bodies, in pieces, in order', async () => {
    const { client, connections } = await serve({}, async (incoming, response) => {
      await delay(20)
      const body = incoming.method === 'POST' ? await text(incoming) : ''
      await delay(20)
      response.end(`<${incoming.url} ${body}>`)
    })
    await crowd(client)
    const socket = await client()
    const received = read(socket)
    const posted = 'a\r\n\r\nb'
    const post = `POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: ${posted.length}\r\n\r\n${posted}`
    const [head, tail] = [request('/4').slice(0, 20), request('/4').slice(20)]
    // Otherwise both writes could arrive as one.
    await expect.poll(() => connections.sockets.size).toBe(limits.readDirectly + 1)
    socket.setNoDelay(true).write(request('/1') + request('/2') + post + head)
    // While the first one is in progress.
    await delay(10)
    socket.write(tail + request('/5'))
    const expected = ['</1 >', '</2 >', `</3 ${posted}>`, '</4 >', '</5 >']
    await expect.poll(() => received().match(/<[^>]*>/g)).toEqual(expected)
  })

  test('gets the same errors on every further one', async () => {
    const { client } = await serve({}, answer)
    await crowd(client)
    const socket = await client()
    const received = read(socket)
    socket.write(`${request('/')}nonsense\r\n\r\n`)
    await once(socket, 'close')
    expect(received()).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s)
  })

  test('has one request of each further one in progress, whatever has arrived, and others do not wait', async () => {
    const running: ServerResponse[] = []
    const { client } = await serve({}, ({ url }, response) => {
      if (url === '/quick') response.end('quick')
      else running.push(response)
    })
    await crowd(client)
    const further = [await client(), await client()]
    for (const socket of further) socket.resume().write(request('/').repeat(limits.pipelinedRequests * 2))
    await expect.poll(() => running.length).toBe(2)
    const other = await client('127.0.0.2')
    const received = read(other)
    other.write(request('/quick'))
    await expect.poll(received).toMatch(/quick/)
    expect(running).toHaveLength(2)
    // More than the limit of pipelined requests may arrive: none of them was made a request yet.
    for (let answered = 0; answered < limits.pipelinedRequests * 4; answered++) {
      await expect.poll(() => running.length).toBeGreaterThan(answered)
      running[answered]?.end()
    }
  })

  test('gets the response to a request after which the client sends no more', async () => {
    const { client } = await serve({}, answer)
    await crowd(client)
    const socket = await client()
    const received = read(socket)
    socket.end(request('/'))
    await once(socket, 'close')
    expect(received()).toMatch(/200 OK/)
  })

  test('may send half of a body before it has read the response to the other half, without reading', async () => {
    const { client, connections } = await serve({}, (_request, response) => response.end(large))
    const first = await crowd(client)
    const socket = await client()
    const head = 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'
    socket.pause().write(`${head}12345`)
    await expect.poll(() => connections.owed.total).toBeGreaterThan(0)
    socket.write(`67890${head}1`)
    await delay(50)
    const received = read(socket)
    socket.write('234567890')
    await expect.poll(() => received().length).toBeGreaterThan(2 * largeBytes)
    expect(connections.sockets.size).toBe(first.length + 1)
  })

  test('gets no response after one that closes the connection', async () => {
    const started: string[] = []
    const { client } = await serve({}, ({ url = '' }, response) => {
      started.push(url)
      response.setHeader('connection', 'close').end()
    })
    await crowd(client)
    const socket = await client()
    socket.resume().write(request('/1') + request('/2'))
    await once(socket, 'close')
    expect(started).toEqual(['/1'])
  })

  test('may close one of them, or be closed, while it waits for its turn', async () => {
    const { client, connections } = await serve({}, answer)
    const first = await crowd(client)
    for (let times = 0; times < 20; times++) (await client()).end(request('/').repeat(3)).resume()
    for (let times = 0; times < 20; times++) {
      const socket = await client()
      socket.write(request('/'))
      socket.resetAndDestroy()
    }
    await expect.poll(() => connections.sockets.size).toBe(first.length)
  })
})

describe('connections', () => {
  test('beyond the share of an address are closed without a response, and those of others are served', async () => {
    const { client, cuts } = await serve({ CONNECTIONS_PER_ADDRESS: '2' }, answer)
    for (const socket of [await client(), await client()]) expect(await ask(socket)).toMatch(/200 OK/)
    expect(await ask(await client())).toBe('')
    expect(cuts).toEqual(['address_share'])
    expect(await ask(await client('127.0.0.2'))).toMatch(/200 OK/)
  })

  test('of a trusted proxy have no share', async () => {
    const settings = { CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.0/8' }
    const { client } = await serve(settings, answer)
    for (let times = 0; times < 3; times++) expect(await ask(await client())).toMatch(/200 OK/)
  })

  test('that are idle make room for a new one: that of the address with most, idle for the longest', async () => {
    const { client, cuts } = await serve({ MAX_CONNECTIONS: '3' }, answer)
    const lone = await client('127.0.0.2')
    const [oldest, newer] = [await client(), await client()]
    for (const socket of [lone, oldest, newer]) expect(await ask(socket)).toMatch(/200 OK/)
    const closed = once(oldest, 'close')
    expect(await ask(await client('127.0.0.3'))).toMatch(/200 OK/)
    await closed
    expect(cuts).toEqual(['idle'])
    for (const socket of [lone, newer]) expect(await ask(socket)).toMatch(/200 OK/)
  })

  test('that have a request in progress stay, and the new one is refused', async () => {
    const running: ServerResponse[] = []
    const { client, cuts } = await serve(
      { MAX_CONNECTIONS: '1' },
      (_request, response) => void running.push(response),
    )
    const busy = await client()
    const received = read(busy)
    busy.write(request('/'))
    await expect.poll(() => running.length).toBe(1)
    expect(await ask(await client('127.0.0.2'))).toBe('')
    expect(cuts).toEqual(['full'])
    running[0]?.end('done')
    await expect.poll(received).toMatch(/done/)
  })
})

const answer: Handler = (_request, response) => void response.end('ok')

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
}

async function serve(settings: Record<string, string>, handler: Handler) {
  const cuts: ConnectionCut[] = []
  const config = parseConfig({ HOST: '127.0.0.1', ...settings })
  const listener = await openListener(config, {
    port: 0,
    portSetting: 'PORT',
    onCut: (reason) => cuts.push(reason),
  })
  await listener.serve(handler)
  onTestFinished(() => listener.close(0))
  const port = Number(new URL(listener.url).port)
  const client = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    // A reset emits an error, which is expected.
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    // One that is refused may be reset before it counts as connected.
    await once(socket, 'connect').catch(() => {})
    return socket
  }
  /** Resolves when a check that has begun is over: it reads the same tables before. */
  const checked = async () => {
    for (let times = 0; times < 3; times++) await readSendQueues(port)
    for (let runs = 0; runs < 5; runs++) await setImmediate()
  }
  return { client, cuts, checked, connections: listener.connections }
}

/** Reads from now on; returns a function that returns all that was read. */
function read(socket: Socket): () => string {
  const pieces: Buffer[] = []
  let text = ''
  socket.on('data', (piece: Buffer) => pieces.push(piece)).resume()
  // Only what is new is converted: the tests ask many times until megabytes have arrived.
  return () => {
    text += Buffer.concat(pieces.splice(0)).toString('latin1')
    return text
  }
}

/** Sends a request and returns the response, or nothing where the connection is closed. */
async function ask(socket: Socket): Promise<string> {
  if (socket.destroyed) return ''
  const received = read(socket)
  socket.write(request('/'))
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return received()
}
