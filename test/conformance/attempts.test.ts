// Guarantees of the limits on attempts: exact over all processes that share a database, and still limits while that
// database cannot be reached.
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { AttemptCounts } from '../../src/storage/attempts/attempt-counts.ts'
import { openAttempts } from '../../src/storage/attempts/open-attempts.ts'
import type { Database } from '../../src/storage/database.ts'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeEachEngine, describeWithPostgres } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { openSilentProxy } from '../faults/processes/silent-proxy.ts'
import { share } from '../lifetime.ts'
import { patience } from '../patience.ts'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
const log = openLog(parseConfig({ LOG_LEVEL: 'silent' }))

/** What one process counts with. */
function countsOf(database: Database, kind = 'test'): AttemptCounts {
  const attempts = openAttempts(database, 'a secret', log)
  onTestFinished(() => attempts.close())
  return attempts.open(kind)
}

const attemptOf = (subject: string, max: number, atMs = nowMs) => ({
  subject,
  max,
  nowMs: atMs,
  untilMs: atMs + minuteMs,
})

describeEachEngine('attempts', (engine) => {
  const fresh = share(() => openFresh(engine))

  test('are admitted up to the limit, in any order of arrival, until the window ends', async () => {
    const counts = countsOf(fresh().database)
    const waits = await Promise.all([1, 2, 3, 4].map(() => counts.count(attemptOf('a', 3))))
    expect(waits).toEqual([0, 0, 0, minuteMs])
    expect(await counts.count(attemptOf('a', 3, nowMs + 1_000))).toBe(minuteMs - 1_000)
    expect(await counts.count(attemptOf('b', 3))).toBe(0)
    expect(await counts.count(attemptOf('a', 4, nowMs + 1_000))).toBe(0)
    expect(await counts.count(attemptOf('a', 1, nowMs + minuteMs))).toBe(0)
    expect(await counts.count(attemptOf('a', 1, nowMs + minuteMs))).toBe(minuteMs)
  })

  test('that are taken back leave room for as many others, however many were refused', async () => {
    const counts = countsOf(fresh().database)
    for (let attempt = 0; attempt < 5; attempt++) await counts.count(attemptOf('taken back', 2))
    await counts.takeBack('taken back', nowMs)
    expect(await counts.count(attemptOf('taken back', 2))).toBe(0)
    expect(await counts.count(attemptOf('taken back', 2))).toBe(minuteMs)
  })

  test('of different kinds are counted apart', async () => {
    const [one, other] = ['one', 'other'].map((kind) => countsOf(fresh().database, kind))
    expect(await one?.count(attemptOf('same', 1))).toBe(0)
    expect(await other?.count(attemptOf('same', 1))).toBe(0)
  })
})

describeWithPostgres('processes that share a database', (url) => {
  const engine = createEngine(url)
  const fresh = share(() => openFresh(engine))
  const another = () => openUnmigrated(fresh().config)

  test('admit exactly the limit together, also when all attempts arrive at once', async () => {
    const processes = [countsOf(fresh().database), countsOf(await another()), countsOf(await another())]
    const attempts = Array.from({ length: 60 }, (_, at) => processes[at % 3]?.count(attemptOf('burst', 7)))
    const waits = await Promise.all(attempts)
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(7)
    for (const counts of processes) expect(await counts.count(attemptOf('burst', 7))).toBe(minuteMs)
  })

  test('refuse the sixth password for an email wherever it arrives', async () => {
    const settings = { ...(await engine.settings('few')) }
    const servers = [await startTestServer(engine, settings), await startTestServer(engine, settings)]
    const tryOne = async (at: number) => {
      const { baseUrl = '' } = servers[at % 2] ?? {}
      const body = JSON.stringify({ email: 'eve@example.org', password: `guess ${at} of many` })
      const headers = { origin: baseUrl, 'content-type': 'application/json' }
      return fetch(`${baseUrl}/api/auth/sign-in/email`, { method: 'POST', headers, body })
    }
    // All at once: each is counted before the password is checked, which takes long.
    const statuses = (await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(tryOne))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    for (const at of [0, 1]) {
      const { status, headers } = await tryOne(at)
      expect([status, headers.get('retry-after')]).toEqual([429, '60'])
    }
  })

  test('learn within a second of attempts that did not wait for the database', async () => {
    const [one, other] = [countsOf(fresh().database), countsOf(await another())]
    for (let view = 0; view < 50; view++) expect(one.countLocally(attemptOf('views', 50))).toBe(0)
    expect(one.countLocally(attemptOf('views', 50))).toBe(minuteMs)
    let admitted = 0
    await vi.waitFor(
      () => {
        const waitMs = other.countLocally(attemptOf('views', 50))
        if (waitMs === 0) admitted++
        expect(waitMs).toBeGreaterThan(0)
      },
      { ...patience, interval: 100 },
    )
    expect(admitted).toBeLessThan(50)
  })

  test('store no address or email, and delete what has expired', async () => {
    const { reader } = fresh().database
    const counts = countsOf(fresh().database)
    const addMany = (name: string, atMs: number) =>
      Promise.all(
        Array.from({ length: 1_000 }, (_, at) =>
          counts.count(attemptOf(`${name}-${at}@example.org 192.0.2.1`, 5, atMs)),
        ),
      )
    await addMany('early', nowMs)
    const rows = await reader.selectFrom('attempt_counts').selectAll().execute()
    expect(rows.length).toBeGreaterThanOrEqual(1_000)
    expect(JSON.stringify(rows)).not.toMatch(/example|192\.0/)
    const laterMs = nowMs + 2 * minuteMs
    await addMany('late', laterMs)
    const expired = reader
      .selectFrom('attempt_counts')
      .select('subject')
      .where('until', '<', new Date(laterMs).toISOString())
    await vi.waitFor(async () => expect((await expired.execute()).length).toBeLessThan(1_000), patience)
  })

  test('go on counting in memory while the database does not respond, and share again when it does', async () => {
    const { config, database } = fresh()
    const target = new URL(config.databaseUrl ?? '')
    target.hostname = '127.0.0.1'
    const proxy = await openSilentProxy(new URL(target))
    onTestFinished(() => proxy.close())
    target.port = String(proxy.port)
    const counts = countsOf(await openUnmigrated({ ...config, databaseUrl: target.href }))
    const other = countsOf(database)
    const attempt = attemptOf('outage', 3)
    expect(await counts.count(attempt)).toBe(0)
    expect(await other.count(attempt)).toBe(0)
    expect(await counts.count(attemptOf('outage', 2))).toBe(minuteMs)
    proxy.silence()
    // Two are known: one more is admitted, then none.
    expect(await counts.count(attempt)).toBe(0)
    expect(await counts.count(attempt)).toBe(minuteMs)
    expect(await counts.count(attemptOf('another', 1))).toBe(0)
    proxy.speak()
    // Only the attempt whose statement was under way may be counted in the database too, when it arrives after all.
    expect(await other.count(attemptOf('outage', 4))).toBe(0)
    let tries = 0
    await vi.waitFor(
      async () => {
        const subject = `back ${tries++}`
        expect(await counts.count(attemptOf(subject, 1))).toBe(0)
        expect(await other.count(attemptOf(subject, 1))).toBe(minuteMs)
      },
      { ...patience, interval: 200 },
    )
  })
})
