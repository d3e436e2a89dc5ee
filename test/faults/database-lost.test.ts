// Guarantees about losing the database: callers are told when to retry, and nothing has to be restarted.
import { expect, onTestFinished, test, vi } from 'vitest'
import { generateKey } from '../../src/access/keys/api-key.ts'
import { parseConfig } from '../../src/config.ts'
import { startTestServer, type TestServer } from '../api/running-server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine, describeWithPostgres, describeWithRedis } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { startPostgres } from '../programs/postgres.ts'
import { openSilentProxy } from './processes/silent-proxy.ts'

const clock = manualClock()
/** Closing takes 15 s: pending operations time out one after the other. */
const closeMaxMs = 20_000

describeWithPostgres('a lost database', (url) => {
  test('means 503 with Retry-After until it is back; then requests and new changes are served again', async () => {
    const postgres = await startPostgres({ durable: true })
    if (!postgres.available) throw new Error(postgres.reason)
    onTestFinished(() => postgres.stop())
    const engine = createEngine(postgres.address)
    const settings = await engine.settings()
    // Nothing listens at this Redis address, so that quotas are counted in the database alone.
    const server = await startTestServer(engine, { ...settings, REDIS_URL: 'redis://127.0.0.1:1' })
    const list = () => server.get('/api/v1/watches?per_page=1')
    expect((await list()).status).toBe(200)

    await postgres.kill()
    const refused = await untilRefused(server)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({ message: expect.stringMatching(/retry after/) })
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200)
    const lag = async () =>
      (await (await fetch(`${server.baseUrl}/readyz`)).json()) as { lag_ms: number | null }
    await vi.waitFor(
      async () => expect(await lag()).toMatchObject({ status: 'ready', lag_ms: null }),
      patience,
    )

    await postgres.restart()
    await vi.waitFor(async () => expect((await list()).status).toBe(200), patience)
    await vi.waitFor(async () => expect(await lag()).toMatchObject({ lag_ms: 0 }), patience)
    const other = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    const price = { retail_price_usd: 1, current_market_price: 2 }
    await setPrice(other, clock, 1, price)
    await vi.waitFor(
      async () => expect(await (await list()).json()).toMatchObject({ data: [price] }),
      patience,
    )
  })

  describeWithRedis('beside Redis', (redisUrl) => {
    test('lets known keys read on, each request counted once; unknown keys and writes get 503', async () => {
      const postgres = await startPostgres({ durable: true })
      if (!postgres.available) throw new Error(postgres.reason)
      onTestFinished(() => postgres.stop())
      const engine = createEngine(postgres.address)
      const server = await startTestServer(engine, { ...(await engine.settings()), REDIS_URL: redisUrl })
      const read = async () => {
        const answer = await server.get('/api/v1/watches?per_page=1')
        return [answer.status, Number(answer.headers.get('x-ratelimit-remaining'))] as const
      }
      await vi.waitFor(() => expect(server.logText()).toContain('counted in Redis'), patience)
      const [, left] = await read()
      await postgres.kill()
      for (let taken = 1; taken <= 5; taken++) {
        server.wait(1_000)
        expect(await read()).toEqual([200, left - taken])
      }
      const stranger = await fetch(`${server.baseUrl}/api/v1/watches`, {
        headers: { authorization: `Bearer ${generateKey()}` },
      })
      expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([503, '1'])
      server.wait(60_000)
      expect((await read())[0]).toBe(503)
      await postgres.restart()
      await vi.waitFor(async () => expect((await read())[0]).toBe(200), patience)
      const [, after] = await read()
      expect(after).toBeLessThan(left - 5)
    })
  })

  test('that does not respond means 503 too, and does not prevent a shutdown', async () => {
    const engine = createEngine(url)
    const settings = await engine.settings('sample')
    const through = new URL(settings.DATABASE_URL ?? '')
    through.hostname = '127.0.0.1'
    const proxy = await openSilentProxy(new URL(through))
    onTestFinished(() => proxy.close())
    through.port = String(proxy.port)
    const server = await startTestServer(engine, { ...settings, DATABASE_URL: through.href })
    proxy.silence()
    const refused = await untilRefused(server)
    expect(refused.headers.get('retry-after')).toBe('1')
    proxy.speak()
    const isServed = async () => expect((await server.get('/api/v1/watches')).status).toBe(200)
    await vi.waitFor(isServed, patience)
    // Simulates a silent failover: the old connections are dead, new ones work.
    proxy.abandon()
    for (let round = 0; round < 5; round++) {
      server.wait(1_000)
      expect([200, 503]).toContain((await server.get('/api/v1/watches')).status)
    }
    await vi.waitFor(isServed, patience)
    for (let round = 0; round < 5; round++) await isServed()
    proxy.silence()
    const closingMs = performance.now()
    await server.close()
    expect(performance.now() - closingMs).toBeLessThan(closeMaxMs)
  })
})

/** Returns the first 503 response. The key cache may serve requests for a moment before it. */
function untilRefused(server: TestServer): Promise<Response> {
  return vi.waitFor(async () => {
    server.wait(1_000)
    const answer = await server.get('/api/v1/watches')
    expect(answer.status).toBe(503)
    return answer
  }, patience)
}
