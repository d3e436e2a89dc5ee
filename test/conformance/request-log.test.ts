// Guarantees about the request log on both engines: exactly the newest calls of each account over all processes, exact
// counts by day and status, all filters, and no secrets.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createAccount, deleteAccount } from '../../src/access/accounts/accounts.ts'
import { generateKey } from '../../src/access/keys/api-key.ts'
import { issueKey } from '../../src/access/keys/keys.ts'
import { readStatuses } from '../../src/access/plans/usage.ts'
import { removeOldUsage } from '../../src/access/request-log/remove-old-usage.ts'
import { type Call, listRequests, RequestLog } from '../../src/access/request-log/request-log.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'

const start = '2026-03-01T12:00:00.000Z'
const kept = 1_000
const all = { limit: 2_000 }
/** The maximum number of pages of a random walk through the list. */
const pagesMax = 20

describeEachEngine('the request log', (engine) => {
  async function open(accounts = 1) {
    const { database, config } = await openFresh(engine)
    const clock = manualClock(start)
    const openOne = (over: Database) => {
      const log = new RequestLog(over, clock, openLog(config))
      onTestFinished(() => log.stop())
      return log
    }
    const ids: string[] = []
    for (let at = 0; at < accounts; at++) {
      const draft = { email: `${at}@example.com`, name: 'Anna', plan: 'free' } as const
      ids.push(await database.write((tx) => createAccount(tx, clock, draft)))
    }
    const tick = (ms = 1) => clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
    const list = (id: string, wanted = {}) => listRequests(database.reader, id, { ...all, ...wanted })
    const another = async () => openOne(await openUnmigrated(config))
    const [id = ''] = ids
    return { database, clock, ids, id, log: openOne(database), another, tick, list }
  }

  function call(accountId: string, more: Partial<Call> = {}): Call {
    const url = '/api/v1/watches'
    return { accountId, keyId: 'k', method: 'GET', url, status: 200, durationMs: 1, requestId: 'r', ...more }
  }

  test('has exactly the newest calls of each account, in any order and through any process', async () => {
    const { ids, log, another, tick, list } = await open(3)
    const logs = [log, await another()]
    const [busy = '', quiet = '', silent = ''] = ids
    const wanted: string[] = []
    for (let at = 0; at < 2_600; at++) {
      tick()
      const requestId = String(at)
      logs[at % 2]?.note(call(busy, { requestId }))
      wanted.unshift(requestId)
      if (at % 100 === 0) logs[at % 3 === 0 ? 0 : 1]?.note(call(quiet, { requestId }))
      // The two processes flush first alternately.
      if (at % 700 === 699) await Promise.all([logs[at % 2]?.flush(), logs[1 - (at % 2)]?.flush()])
    }
    await Promise.all(logs.map((one) => one.flush()))
    expect((await list(busy)).map(({ request_id }) => request_id)).toEqual(wanted.slice(0, kept))
    expect(await list(quiet)).toHaveLength(26)
    expect(await list(silent)).toEqual([])
  })

  test('counts every call by day and status, also those no longer stored, over two processes', async () => {
    const { id, log, another, clock, database } = await open()
    const other = await another()
    for (let at = 0; at < 3_000; at++) log.note(call(id, { status: at % 3 === 0 ? 304 : 200 }))
    other.note(call(id, { status: 429 }))
    clock.moveTo('2026-03-01T23:59:59.999Z')
    log.note(call(id))
    clock.moveTo('2026-03-02T00:00:00.000Z')
    log.note(call(id))
    other.note(call(id))
    await Promise.all([log.flush(), other.flush()])
    await log.flush()
    expect(Object.fromEntries(await readStatuses(database.reader, id, '2026-01-31'))).toEqual({
      '2026-03-01': { 200: 2_001, 304: 1_000, 429: 1 },
      '2026-03-02': { 200: 2 },
    })
    clock.moveTo('2026-04-10T00:00:00.000Z')
    log.note(call(id))
    await log.flush()
    await removeOldUsage(database, clock, new AbortController().signal)
    expect([...(await readStatuses(database.reader, id, '2026-01-31')).keys()]).toEqual(['2026-04-10'])
  })

  test('is filtered by status, status class, method, key, path text and request id, page by page', async () => {
    const { id, log, tick, list, database, clock } = await open()
    const { id: keyId } = await database.write((tx) => issueKey(tx, clock, id, { name: 'laptop' }))
    const calls: Partial<Call>[] = [
      { requestId: 'a', keyId },
      { requestId: 'b', status: 404, url: '/api/v1/watches/100%25_x' },
      { requestId: 'c', status: 429, method: 'POST' },
      { requestId: 'd', status: 503, url: `/api/v1/watches?q=${'é'.repeat(3_000)}` },
    ]
    for (const one of calls) {
      tick()
      log.note(call(id, one))
    }
    await log.flush()
    const found = async (wanted: object) => (await list(id, wanted)).map((one) => one.request_id).join('')
    expect(await found({ status: '404' })).toBe('b')
    expect(await found({ status: '4xx' })).toBe('cb')
    expect(await found({ method: 'POST' })).toBe('c')
    expect(await found({ key: keyId })).toBe('a')
    expect(await found({ request_id: 'd' })).toBe('d')
    expect(await found({ q: 'watches/' })).toBe('b')
    // Matched literally, not as LIKE patterns.
    expect([await found({ q: '%' }), await found({ q: '_' }), await found({ q: 'w_tches' })]).toEqual([
      'b',
      'b',
      '',
    ])
    expect(await found({ status: '4xx', method: 'GET', q: 'watches' })).toBe('b')
    const [newest, second] = await list(id)
    expect(newest?.path).toHaveLength(2_048)
    expect(await found({ before: second?.id, limit: 1 })).toBe('b')
    expect((await list(id)).map(({ key }) => key?.name)).toEqual([undefined, undefined, undefined, 'laptop'])
  })

  test('contains no key, wherever it stood in the URL', async () => {
    const { id, log, list } = await open()
    const key = generateKey()
    log.note(call(id, { url: `/api/v1/watches?key=${key}&q=a` }))
    log.note(call(id, { url: `/api/v1/${key.replaceAll('_', '%5F')}` }))
    await log.flush()
    const paths = (await list(id)).map(({ path }) => path)
    expect(paths).toEqual(['/api/v1/wd%5Flive%5F…', '/api/v1/watches?key=wd_live_…&q=a'])
  })

  test('contains no key in another encoding or without its prefix: the whole query is left out', async () => {
    const { id, log, list } = await open()
    const key = generateKey()
    const bare = key.slice('wd_live_'.length)
    const encoded = Array.from(key, (one) => `%${one.charCodeAt(0).toString(16)}`).join('')
    const spellings = [
      `%77${key.slice(1)}`,
      `wd_l%69ve_${bare}`,
      `wd_l%2569ve_${bare}`,
      bare,
      `a${bare}`,
      `%${bare.charCodeAt(0).toString(16)}${bare.slice(1)}`,
      `${bare}&q=%zz`,
      encoded,
    ]
    for (const spelling of spellings) log.note(call(id, { url: `/api/v1/watches?q=x&zzz=${spelling}` }))
    log.note(call(id, { url: `/api/v1/${encoded}?q=x` }))
    const harmless = `/api/v1/watches?q=%zz%20&page[cursor]=${'a'.repeat(36)}`
    log.note(call(id, { url: harmless }))
    await log.flush()
    const paths = (await list(id)).map(({ path }) => path).reverse()
    expect(paths).toEqual([...spellings.map(() => '/api/v1/watches?…'), '/…', harmless])
  })

  test('does not block a reader while it cannot be written, and is written later', async () => {
    const { id, log, list, database } = await open()
    log.note(call(id))
    const { promise: isRead, resolve: releaseHeld } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    onTestFinished(() => releaseHeld())
    const held = database.write(async (tx) => {
      if (database.engine === 'postgres') await sql`lock table requests in exclusive mode`.execute(tx)
      hold()
      await isRead
    })
    await isHeld
    const tried = log.flush().then(
      () => expect.unreachable(),
      () => 'given up',
    )
    expect(await Promise.race([log.settle().then(() => 'let through'), tried])).toBe('let through')
    expect(await list(id)).toEqual([])
    await tried
    releaseHeld()
    await held
    await log.flush()
    expect(await list(id)).toHaveLength(1)
  })

  test('is deleted with its account, and calls of a deleted account do not block those of others', async () => {
    const { ids, log, list, database } = await open(2)
    const [gone = '', there = ''] = ids
    log.note(call(gone))
    await log.flush()
    log.note(call(gone))
    log.note(call(there))
    await database.write((tx) => deleteAccount(tx, gone))
    await log.flush()
    expect([await list(gone), (await list(there)).length]).toEqual([[], 1])
    expect((await readStatuses(database.reader, gone, '2026-01-01')).size).toBe(0)
    expect((await readStatuses(database.reader, there, '2026-01-01')).get('2026-03-01')).toEqual({ 200: 1 })
  })

  test('keeps calls that could not be written for the next flush, and counts them once', async () => {
    const { id, log, list, database } = await open()
    const rename = (from: string, to: string) =>
      database.write((tx) => sql.raw(`alter table ${from} rename to ${to}`).execute(tx))
    for (let at = 0; at < 700; at++) log.note(call(id, { requestId: String(at) }))
    await rename('requests', 'away')
    await expect(log.flush()).rejects.toThrow()
    await rename('away', 'requests')
    await rename('daily_statuses', 'away')
    await expect(log.flush()).rejects.toThrow()
    await rename('away', 'daily_statuses')
    log.note(call(id, { requestId: '700' }))
    await log.flush()
    expect((await list(id)).map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 701 }, (_, at) => String(700 - at)),
    )
    expect((await readStatuses(database.reader, id, '2026-01-01')).get('2026-03-01')).toEqual({ 200: 701 })
  })

  test('equals a naive list of all calls', async () => {
    const { ids, log, another, tick, database } = await open(2)
    const logs = [log, await another()]
    const calls = ids.map(() => [] as Call[])
    const statuses = fc.constantFrom(200, 304, 404, 422, 429, 500)
    const step = fc.record({
      process: fc.nat(1),
      account: fc.nat(1),
      times: fc.constantFrom(1, 3, 400),
      status: statuses,
      method: fc.constantFrom('GET', 'POST'),
      url: fc.constantFrom('/a', '/a%b', '/A_b', "/'\\", '/b?q=%25'),
      flush: fc.constantFrom(undefined, 0, 1),
    })
    const asked = fc.record({
      status: fc.option(fc.oneof(statuses.map(String), fc.constantFrom('2xx', '4xx')), { nil: undefined }),
      method: fc.option(fc.constantFrom('GET', 'POST'), { nil: undefined }),
      q: fc.option(fc.constantFrom('a', 'b', '%', '_', '\\', "'", '%25'), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 100 }),
    })
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), asked, async (steps, { limit, ...wanted }) => {
        for (const { process, account, times, flush, ...more } of steps) {
          for (let at = 0; at < times; at++) {
            tick()
            const made = call(ids[account] ?? '', { ...more, requestId: String(++count) })
            logs[process]?.note(made)
            calls[account]?.unshift(made)
          }
          if (flush !== undefined) await logs[flush]?.flush()
        }
        await Promise.all(logs.map((one) => one.flush()))
        for (const [account, id] of ids.entries()) {
          const naive = (calls[account] ?? []).slice(0, kept).filter((one) => matches(one, wanted))
          const size = Math.max(limit, Math.ceil(naive.length / pagesMax))
          const found = await pageThrough(database, id, { ...wanted, limit: size })
          expect(found).toEqual(naive.map(({ requestId }) => requestId))
        }
      }),
      { numRuns: runs(20, 40) },
    )
  })
})

function matches(
  call: Call,
  wanted: { status: string | undefined; method: string | undefined; q: string | undefined },
) {
  const { status = String(call.status), method = call.method, q = '' } = wanted
  const isStatus = status.endsWith('xx')
    ? status[0] === String(call.status)[0]
    : status === String(call.status)
  return isStatus && method === call.method && call.url.includes(q)
}

async function pageThrough(database: Database, id: string, wanted: { limit: number }): Promise<string[]> {
  const found: string[] = []
  let before: string | undefined
  do {
    const page = await listRequests(database.reader, id, { ...wanted, before })
    found.push(...page.map(({ request_id }) => request_id))
    before = page.length < wanted.limit ? undefined : page.at(-1)?.id
  } while (before !== undefined)
  return found
}
