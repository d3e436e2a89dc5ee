// Tests the request log over HTTP: its owner sees every call of a known key with its request id, on every code path,
// and nothing of other accounts, nor any secret.
import http from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { AccountOverview, RequestLine } from '../../web/account-api.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { type AccountFixture, type Member, openFixture } from './account-fixture.ts'

/** Waits until all calls are stored: on a busy machine that takes longer than a reader waits for it. */
async function written(member: Member, calls: number): Promise<void> {
  const counted = async () => Object.values((await daysOf(member)).at(-1)?.statuses ?? {})
  await expect.poll(async () => (await counted()).reduce((sum, count) => sum + count, 0)).toBe(calls)
}

async function requestsOf(member: Member, query = ''): Promise<RequestLine[]> {
  const { status, body } = await member.ask('GET', `/api/account/requests${query}`)
  expect(status).toBe(200)
  return body.data
}

async function daysOf(member: Member): Promise<AccountOverview['usage']['days']> {
  return (await member.ask('GET', '/api/account')).body.data.usage.days
}

/** One connection, on which the caller of a key is remembered. */
function keepingAgent(): http.Agent {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return agent
}

function get(
  { baseUrl }: AccountFixture,
  path: string,
  headers: Record<string, string>,
  agent = keepingAgent(),
): Promise<{ status: number; headers: http.IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${baseUrl}/api/v1${path}`, { headers, agent }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers })
      })
    })
    request.on('error', reject)
  })
}

describeEachEngine('the request log', (engine) => {
  const shared = share(() => openFixture(engine, { PLAN_LIMITS: 'free=8' }))

  test('has every call, whatever its outcome, with its request id, key and status', async () => {
    const fixture = shared()
    const ada = await fixture.signUp('calls@example.com')
    const { key, id, name, hint } = await ada.makeKey('laptop')
    const agent = keepingAgent()
    const authorization = `Bearer ${key}`
    const asked: [string, Record<string, string>, number][] = [
      ['/watches', {}, 200],
      // The key is cached by now.
      ['/watches?per_page=1', {}, 200],
      ['/watches/1', {}, 200],
      ['/watches?page=x', {}, 422],
      ['/changes', {}, 403],
      ['/nowhere', {}, 404],
      ['/usage', {}, 200],
      ['/watches?per_page=2', {}, 200],
      ['/watches', { 'accept-encoding': 'gzip' }, 200],
      // The daily quota is spent.
      ['/watches?per_page=3', {}, 429],
      ['/brands', {}, 429],
    ]
    const wanted: object[] = []
    for (const [path, headers, status] of asked) {
      const answer = await get(fixture, path, { ...headers, authorization }, agent)
      expect([path, answer.status]).toEqual([path, status])
      const request_id = answer.headers['x-request-id']
      wanted.unshift({ method: 'GET', path: `/api/v1${path}`, status, request_id, key: { id, name, hint } })
    }
    await written(ada, asked.length)
    const found = await requestsOf(ada)
    expect(found).toMatchObject(wanted)
    for (const { duration_ms, at } of found) {
      expect(duration_ms).toBeGreaterThanOrEqual(0)
      expect(at).toBe('2026-03-01T12:00:00.000Z')
    }
    expect((await daysOf(ada)).at(-1)).toEqual({
      date: '2026-03-01',
      used: 8,
      statuses: { 200: 6, 403: 1, 404: 1, 422: 1, 429: 2 },
    })
  })

  test('has 304 responses and other methods', async () => {
    const fixture = shared()
    const ada = await fixture.signUp('held@example.com')
    const { key } = await ada.makeKey()
    const first = await fixture.call(key)
    const etag = first.headers.get('etag') ?? ''
    expect((await fixture.call(key, '/watches', { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fixture.call(key, '/watches', { method: 'HEAD' })).status).toBe(200)
    for (const method of ['PUT', 'PROPFIND'])
      expect((await fixture.call(key, '/watches', { method })).status).toBe(405)
    await written(ada, 5)
    expect((await requestsOf(ada)).map(({ method, status }) => `${method} ${status}`)).toEqual([
      'PROPFIND 405',
      'PUT 405',
      'HEAD 200',
      'GET 304',
      'GET 200',
    ])
    expect((await daysOf(ada)).at(-1)).toMatchObject({ used: 4, statuses: { 200: 2, 304: 1, 405: 2 } })
  })

  test('can be filtered and paged', async () => {
    const fixture = shared()
    const ada = await fixture.signUp('found@example.com')
    const [one, other] = [await ada.makeKey('one'), await ada.makeKey('other')]
    for (let at = 0; at < 5; at++) await fixture.call(one.key, `/watches?page=${at}`)
    const missing = await fixture.call(other.key, '/watches/999999999')
    await written(ada, 6)
    const ids = async (query: string) =>
      (await requestsOf(ada, query)).map(({ path }) => path.slice(-1)).join('')
    expect(await ids('')).toBe('943210')
    expect(await ids('?status=2xx')).toBe('4321')
    expect(await ids('?status=422')).toBe('0')
    expect(await ids(`?key=${other.id}&method=GET`)).toBe('9')
    expect(await ids('?q=page%3D3')).toBe('3')
    expect(await ids(`?request_id=${missing.headers.get('x-request-id')}`)).toBe('9')
    expect(await ids('?q=%25&status=&method=')).toBe('')
    const seen: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await ada.ask('GET', `/api/account/requests?limit=4&before=${next}`)
      seen.push(...body.data.map(({ path }: RequestLine) => path.slice(-1)))
      next = body.meta.next
    }
    expect(seen.join('')).toBe('943210')
  })

  test('has nothing of another account, and no secret', async () => {
    const fixture = shared()
    const [ada, eve] = [await fixture.signUp('secret@example.com'), await fixture.signUp('eve@example.com')]
    const { key, id } = await ada.makeKey()
    const { key: second } = await ada.makeKey('second')
    const readRows = () => fixture.database.reader.selectFrom('requests').selectAll().execute()
    const before = await readRows()
    await fixture.call(key, `/watches?api_key=${second}`)
    // A key in the URL is not accepted: the caller is unknown, and nothing is stored.
    expect((await fetch(`${fixture.baseUrl}/api/v1/watches?api_key=${key}`)).status).toBe(401)
    await written(ada, 1)
    const [line] = await requestsOf(ada)
    expect(line?.path).toBe('/api/v1/watches?api_key=wd_live_…')
    expect(await requestsOf(eve)).toEqual([])
    expect(await requestsOf(eve, `?key=${id}`)).toEqual([])
    expect(await requestsOf(eve, `?request_id=${line?.request_id}`)).toEqual([])
    const rows = await readRows()
    expect(rows).toHaveLength(before.length + 1)
    for (const secret of [key, second]) expect(JSON.stringify(rows)).not.toContain(secret)
    expect((await daysOf(eve)).every(({ statuses }) => Object.keys(statuses).length === 0)).toBe(true)
  })

  test('reports an invalid filter', async () => {
    const fixture = shared()
    const ada = await fixture.signUp('wrong@example.com')
    for (const [query, field] of badQueries) {
      const { status, body } = await ada.ask('GET', `/api/account/requests?${query}`)
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [field]])
    }
  })
})

const badQueries = [
  ['status=44', 'status'],
  ['status=6xx', 'status'],
  ['status[]=1', 'status'],
  ['method=get', 'method'],
  ['q=%00', 'q'],
  ['q=%zz', 'q'],
  [`q=${'a'.repeat(513)}`, 'q'],
  ['request_id=a%20b', 'request_id'],
  ['key=%C3%A9', 'key'],
  ['before=zz', 'before'],
  ['limit=101', 'limit'],
  ['limit=0', 'limit'],
  ['limit=1&limit=2', 'limit'],
] as const
