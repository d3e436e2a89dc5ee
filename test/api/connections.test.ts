// Tests the API on real connections: keep-alive, pipelined, read slowly, and with keys that end while they are open.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { startPlanServer } from './plan-server.ts'

const sample = await readSample()
const engine = createEngine()
const server = share(() => startPlanServer(engine, { LOG_LEVEL: 'silent' }))

describe('on one connection', () => {
  test('a second Authorization header makes it 401, although the key is cached', async () => {
    const connection = await openConnection()
    for (const status of [200, 200]) expect((await connection.ask(request('')))[0]?.status).toBe(status)
    const key = `Authorization: Bearer ${server().demoKey}\r\n`
    for (const second of [key, 'Authorization: Bearer x\r\n', 'authorization:\r\n']) {
      const [twice, after] = await connection.ask(request('', second), request(''))
      expect([twice?.status, twice?.body]).toEqual([401, '{"message":"Unauthenticated."}'])
      expect(after?.status).toBe(200)
    }
  })

  test('another key, none at all or another scheme is 401, although the previous key was valid', async () => {
    const connection = await openConnection()
    const lines = [
      `Authorization: Bearer ${server().demoKey}x`,
      'Authorization: Basic eDp5',
      'Authorization:',
      'X-Key: y',
    ]
    for (const line of lines) {
      const bad = `GET /api/v1/watches HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`
      const statuses = (await connection.ask(request(''), bad, request(''))).map(({ status }) => status)
      expect([line, ...statuses]).toEqual([line, 200, 401, 200])
    }
  })

  test('the body of a request is not read as the next request', async () => {
    const connection = await openConnection()
    const hidden = request('?per_page=1')
    const answers = await connection.ask(
      `${request('?per_page=2', `Content-Length: ${hidden.length}\r\n`)}${hidden}`,
      request('?per_page=3'),
    )
    expect(answers.map(({ body }) => JSON.parse(body).data.length)).toEqual([2, 3])
  })

  test('a request that names the type of a body and has none is answered, and the connection stays usable', async () => {
    const connection = await openConnection()
    const post = (path: string, lines: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`
    const key = `Authorization: Bearer ${server().keys.platinum}\r\n`
    const json = 'Content-Type: application/json\r\n'
    const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
    const answers = await connection.ask(
      post('/api/v1/webhooks', key + json),
      post('/api/v1/webhooks', key),
      post('/sign-in', form),
      request('?per_page=1'),
    )
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 200])
  })

  test('a body is read that is sent after 100 Continue', async () => {
    const connection = await openConnection()
    const key = `Authorization: Bearer ${server().keys.platinum}\r\n`
    const head = `POST /api/v1/webhooks HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\n`
    connection.socket.write(`${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
    await once(connection.socket, 'data')
    const [goOn, answer] = await connection.ask('{}', '')
    expect([goOn?.status, answer?.status]).toEqual([100, 422])
  })

  test('responses over HTTP/1.0 are complete and close the connection', async () => {
    const text = request('?per_page=3').replace('HTTP/1.1', 'HTTP/1.0')
    const connection = await openConnection()
    const ended = once(connection.socket, 'end')
    const [answer] = await connection.ask(text)
    await ended
    expect(answer?.headers).toMatch(/\r\nconnection: close/i)
    expect(JSON.parse(answer?.body ?? '').data).toHaveLength(3)
  })
})

test('50 connections with 20 lists each, pipelined and read slowly, get their own bodies in order', async () => {
  const queries = sample.brands.map(({ slug }, at) => `?brand=${slug}&sort=-id&per_page=${at + 40}`)
  for (let page = 1; page <= 20; page++) queries.push(`?page=${page}&per_page=${page * 5}&sort=-updated_at`)
  const bodies = new Map<string, string>()
  for (const query of queries) bodies.set(query, await bodyOf(query))
  await Promise.all(
    Array.from({ length: 50 }, async (_, number) => {
      const connection = await openConnection()
      const own = Array.from({ length: 20 }, (_, at) => queries[(number * 7 + at * 3) % queries.length] ?? '')
      for (const batch of [own.slice(0, 10), own.slice(10)]) {
        // Every other client starts to read only when the server has written to all of them.
        if (number % 2 === 0) connection.socket.pause()
        const asked = connection.ask(...batch.map((query) => request(query)))
        if (number % 2 === 0) {
          await bodyOf('?per_page=1')
          connection.socket.resume()
        }
        const answers = await asked
        expect(answers.map(({ body }) => body)).toEqual(batch.map((query) => bodies.get(query)))
      }
    }),
  )
})

test('clients that disconnect during their responses do not affect those of others', async () => {
  const query = '?per_page=100&sort=brand'
  const body = await bodyOf(query)
  for (let round = 0; round < 20; round++) {
    const quitter = await openConnection()
    quitter.socket.pause()
    quitter.socket.write(request(`?per_page=100&page=2`).repeat(15))
    const reader = await openConnection()
    const reading = reader.ask(...Array.from({ length: 10 }, () => request(query)))
    quitter.socket.resetAndDestroy()
    for (const answer of await reading) expect(answer.body === body).toBe(true)
  }
})

// Last, because it revokes the key.
test('a revoked key is rejected within a second, on open connections too', async () => {
  const [kept, idle] = [await openConnection(), await openConnection()]
  for (const connection of [kept, idle, kept])
    expect((await connection.ask(request('')))[0]?.status).toBe(200)
  await server().database.write(async (tx) => {
    await tx.updateTable('api_keys').set({ revoked_at: server().now() }).execute()
  })
  server().wait(999)
  for (const connection of [kept, idle, await openConnection()]) {
    const [answer] = await connection.ask(request(''))
    expect([answer?.status, answer?.body]).toEqual([401, '{"message":"Unauthenticated."}'])
  }
})

interface RawAnswer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

function request(query: string, more = ''): string {
  return `GET /api/v1/watches${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server().demoKey}\r\n${more}\r\n`
}

async function bodyOf(query: string): Promise<string> {
  return (await server().get(`/api/v1/watches${query}`)).text()
}

/** Opens a connection that sends requests pipelined and reads as many responses. */
async function openConnection(): Promise<{
  socket: Socket
  ask(...requests: string[]): Promise<RawAnswer[]>
}> {
  const socket = connect(server().port, '127.0.0.1')
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  // A reset emits an error, which is expected.
  socket.on('error', () => {})
  let got = Buffer.alloc(0)
  let wake = () => {}
  socket.on('data', (piece: Buffer) => {
    got = Buffer.concat([got, piece])
    wake()
  })
  const takeAnswer = (): RawAnswer | undefined => {
    const end = got.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const head = got.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (got.length < end + 4 + length) return undefined
    const body = got.toString('utf8', end + 4, end + 4 + length)
    got = got.subarray(end + 4 + length)
    return { status: Number(head.slice(9, 12)), headers: head, body }
  }
  return {
    socket,
    async ask(...requests) {
      socket.write(requests.join(''))
      const answers: RawAnswer[] = []
      while (answers.length < requests.length) {
        const answer = takeAnswer()
        if (answer !== undefined) answers.push(answer)
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
      return answers
    },
  }
}
