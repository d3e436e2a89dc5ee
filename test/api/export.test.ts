// Tests the export over real HTTP: every watch as in the list, every encoding, access and cost; and that an incomplete
// export never looks complete.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createWatch } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { parseConfig } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import { beginEpoch } from '../../src/storage/migrate.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'
import { openSocket, startTestServer } from './running-server.ts'
import { settled } from './settled.ts'

const silent = { LOG_LEVEL: 'silent' }
const grown = 1_000

/** Every watch as the bytes of the list. */
async function listed(server: PlanServer): Promise<string> {
  const lines: string[] = []
  for (let page = 1; ; page++) {
    const body = await (await server.ask('platinum', `/watches?per_page=100&page=${page}`)).text()
    const { data } = JSON.parse(body) as { data: { id: number }[] }
    if (data.length === 0) return lines.join('')
    for (const { id } of data) {
      const start = body.indexOf(`{"id":${id},`)
      const next = data.find((watch) => watch.id > id)
      const end = next === undefined ? body.indexOf('],"meta":') : body.indexOf(`,{"id":${next.id},`)
      lines.push(`${body.slice(start, end)}\n`)
    }
  }
}

describeEachEngine('an export', (engine) => {
  const open = share(() => startPlanServer(engine, silent))

  test('has every watch as in the list, one per line, in order of id', async () => {
    const server = open()
    const answer = await server.ask('platinum', '/export', { headers: { 'accept-encoding': 'identity' } })
    const lines = await answer.text()
    expect(lines).toBe(await listed(server))
    expect(lines.endsWith('}\n')).toBe(true)
    const cursor = answer.headers.get('x-change-cursor')
    const now = await (await server.ask('platinum', '/changes?since=now')).json()
    expect(now).toEqual({ data: [], meta: { next_cursor: cursor, has_more: false } })
    expect([answer.status, ...headersOf(answer)]).toEqual([
      200,
      'application/x-ndjson',
      `attachment; filename="watches-${cursor}.ndjson"`,
      null,
      'accept-encoding',
      'private, no-cache',
      null,
    ])
  })

  test('has one line per watch, however its specs were stored', async () => {
    const server = open()
    const specs = '{\n  "a": "b\\n",\r\n\t"c": [1.0,\n2]\n}\n'
    await recordChanges(server.database, manualClock(), async (tx, record) => {
      for (const id of [1, 3, 4]) {
        await tx.updateTable('watches').set({ specs }).where('id', '=', id).execute()
        record({ type: 'watch.updated', subjectId: id, data: { changes: {} } })
      }
    })
    await settled(server)
    const plain = { headers: { 'accept-encoding': 'identity' } }
    const lines = (await (await server.ask('platinum', '/export', plain)).text()).split('\n')
    const written = '{   "a": "b\\n",  \t"c": [1.0, 2] } '
    expect(lines.map((line) => (line === '' ? 0 : JSON.parse(line).id)).slice(0, 5)).toEqual([1, 2, 3, 4, 5])
    expect([0, 2, 3].map((at) => lines[at]?.includes(`"specs":${written},"updated_at"`))).toEqual([
      true,
      true,
      true,
    ])
    const feed = await (await server.ask('pro', '/changes?limit=500&types=watch.updated')).text()
    expect(feed.includes(`"watch":${lines[0]},"changes"`)).toBe(true)
  })

  test('of an empty catalogue is empty and complete', async () => {
    const server = await startPlanServer(engine, silent, 'few')
    await recordChanges(server.database, manualClock(), async (tx, record) => {
      await tx.deleteFrom('prices').execute()
      await tx.deleteFrom('watches').execute()
      for (let subjectId = 1; subjectId <= 3_000; subjectId++) record({ type: 'watch.deleted', subjectId })
    })
    await settled(server)
    const answer = await server.ask('platinum', '/export')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

function headersOf({ headers }: Response): (string | null)[] {
  const names = ['type', 'disposition', 'encoding'].map((name) => `content-${name}`)
  return [...names, 'vary', 'cache-control', 'content-length'].map((name) => headers.get(name))
}

/** Returns the raw response, which fetch would decode. */
function ask(
  { baseUrl, keys }: Pick<PlanServer, 'baseUrl' | 'keys'>,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const authorization = `Bearer ${keys.platinum}`
  const options = { method, headers: { authorization, ...headers }, agent: false }
  http.request(`${baseUrl}/api/v1/export`, options, resolve).on('error', reject).end()
  return promise
}

describe('an export', () => {
  const engine = createEngine()
  const open = share(() => startPlanServer(engine, silent))
  let server: PlanServer
  beforeEach(async () => {
    server = await open().forOthers()
  })

  test.each([
    ['gzip', () => zlib.createGunzip()],
    ['zstd', () => zlib.createZstdDecompress()],
    ['br', () => zlib.createBrotliDecompress()],
  ])('is the same in %s', async (coding, open) => {
    const plain = await text(await ask(server))
    const answer = await ask(server, { 'accept-encoding': coding })
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(await text(answer.pipe(open()))).toBe(plain)
  })

  test('has the same headers for HEAD as for GET, without the body', async () => {
    const get = await ask(server, { 'accept-encoding': 'gzip' })
    get.resume()
    const head = await ask(server, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect(await text(head)).toBe('')
    const names = [
      'etag',
      'content-type',
      'content-encoding',
      'content-disposition',
      'x-change-cursor',
      'content-length',
    ]
    const of = ({ headers }: IncomingMessage) => names.map((name) => headers[name])
    expect([head.statusCode, ...of(head)]).toEqual([200, ...of(get)])
    expect(Number(get.headers['x-ratelimit-remaining']) - 1).toBe(
      Number(head.headers['x-ratelimit-remaining']),
    )
  })

  test('costs one request, and none if the caller already has the current catalogue', async () => {
    const first = await ask(server)
    first.resume()
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    for (const method of ['GET', 'HEAD']) {
      const again = await ask(server, { 'if-none-match': etag, 'accept-encoding': 'gzip' }, method)
      expect([again.statusCode, await text(again), again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers['x-ratelimit-remaining']).toBe(first.headers['x-ratelimit-remaining'])
      expect(again.headers['content-length']).toBeUndefined()
    }
    const other = await ask(server, { 'if-none-match': '"other"' })
    expect(await text(other)).not.toBe('')
    expect(Number(other.headers['x-ratelimit-remaining'])).toBe(
      Number(first.headers['x-ratelimit-remaining']) - 1,
    )
    expect((await server.ask('pro', '/export')).status).toBe(403)
  })

  test('on a keep-alive connection is followed by the response to the next request', async () => {
    const socket = await openSocket(server.port)
    const lines = [`Authorization: Bearer ${server.keys.platinum}`, 'Host: a']
    const request = (path: string, more = '') =>
      `GET /api/v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n${more}\r\n`
    socket.write(request('/export') + request('/usage', 'Connection: close\r\n'))
    const whole = await text(socket)
    const [head = '', ...rest] = whole.split('HTTP/1.1 200 OK').slice(1)
    expect(head.toLowerCase()).toContain('transfer-encoding: chunked')
    expect(head.endsWith('\r\n0\r\n\r\n')).toBe(true)
    expect(rest).toHaveLength(1)
  })
})

/** Exports larger than all buffers between server and client. */
describe('an export', () => {
  const engine = createEngine()
  const open = share(async () => {
    const settings = await engine.settings('sample')
    await growBy40Megabytes(await openUnmigrated(parseConfig({ ...settings, ...silent })))
    return { settings, server: await startPlanServer({ ...engine, settings: async () => settings }, silent) }
  })
  let server: PlanServer
  beforeEach(async () => {
    server = await open().server.forOthers()
  })

  /**
   * Grows the export in any encoding: one text in every watch is fast to index, and too long for compression to match.
   */
  async function growBy40Megabytes(database: Database): Promise<void> {
    const clock = manualClock()
    const specs = { notes: randomBytes(20_000).toString('hex') }
    await recordChanges(database, clock, async (tx, record) => {
      for (let at = 0; at < grown; at++) {
        const price = { retail_price_usd: at, current_market_price: null }
        const draft = { brand_id: 1, collection: '', reference_number: `R${at}`, specs, ...price }
        await createWatch(tx, clock, record, draft, { date: '2026-03-01', source: 'test' })
      }
    })
  }

  async function countWatches(): Promise<number> {
    const answer = await server.ask('platinum', '/watches?per_page=1&sort=-id')
    const { data, meta } = (await answer.json()) as {
      data: { reference_number: string }[]
      meta: { total: number }
    }
    expect(data[0]?.reference_number).toBe(`R${grown - 1}`)
    return meta.total
  }

  test('is rejected at no cost while the account has two running, until one is finished or aborted', async () => {
    const total = await countWatches()
    const [one, two] = [await ask(server), await ask(server, { 'accept-encoding': 'gzip;q=0' })]
    const third = await ask(server)
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '5'])
    expect(JSON.parse(await text(third))).toEqual({ message: expect.stringContaining('Retry-After') })
    expect(third.headers['x-ratelimit-remaining']).toBe('0')
    // HEAD needs no export slot. It costs one request, and the third export has cost none.
    const head = await ask(server, {}, 'HEAD')
    expect(head.statusCode).toBe(200)
    const [before, after] = [two, head].map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(after).toBe((before ?? 0) - 1)
    one.destroy()
    await vi.waitFor(async () => {
      const next = await ask(server)
      expect(next.statusCode).toBe(200)
      next.destroy()
    }, patience)
    expect((await text(two)).split('\n')).toHaveLength(total + 1)
  })

  /** Replaces the database like a restore; resolves when the index has noticed. */
  async function replaceDatabase(): Promise<void> {
    const before = await findLife()
    await server.database.write((tx) => beginEpoch(tx, manualClock()))
    await vi.waitFor(async () => expect(await findLife()).not.toBe(before), patience)
  }

  async function findLife(): Promise<string> {
    const answer = await server.ask('pro', '/changes?since=now')
    const { meta } = (await answer.json()) as { meta: { next_cursor: string } }
    return meta.next_cursor.slice(0, 8)
  }

  test('that cannot be completed is cut off, in every encoding', async () => {
    const answers = [
      await ask(server, { 'accept-encoding': 'identity' }),
      await ask(server, { 'accept-encoding': 'gzip' }),
    ]
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip'])
    await replaceDatabase()
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      await expect(text(answer)).rejects.toThrow('aborted')
      expect(answer.complete).toBe(false)
    }
  })

  test('that cannot be completed does not look complete over HTTP/1.0', async () => {
    const socket = await openSocket(server.port)
    socket.write(`GET /api/v1/export HTTP/1.0\r\nAuthorization: Bearer ${server.keys.platinum}\r\n\r\n`)
    await once(socket, 'readable')
    await replaceDatabase()
    await expect(text(socket)).rejects.toThrow('ECONNRESET')
  })

  test('that is being read during shutdown is completed', async () => {
    const total = await countWatches()
    const ending = await startTestServer(engine, { ...silent, ...open().settings })
    const answer = await ask({ ...server, ...ending })
    const closing = ending.close()
    expect((await text(answer)).split('\n')).toHaveLength(total + 1)
    expect(answer.complete).toBe(true)
    await closing
  })
})
