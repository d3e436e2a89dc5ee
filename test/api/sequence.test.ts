// Tests `X-Catalogue-Sequence`, which says how far the serving process has followed the catalogue, and `X-Min-Sequence`,
// with which a client waits for a change that it has heard of.
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { getHead } from '../../src/changes/log.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated } from '../databases/open-database.ts'
import { endLater, share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'

describeEachEngine('the sequence of the catalogue', (engine) => {
  const open = share(() => start(engine))

  test('is in every response, also in a 304, an error, a HEAD and an export', async () => {
    const { server, platinum } = open()
    const sequence = await currentSequence()
    const { headers } = await ask(server, '/watches')
    const cases = [
      [200, await ask(server, '/watches/1')],
      [200, await ask(server, '/watches', {}, 'HEAD')],
      [304, await ask(server, '/watches', { 'if-none-match': headers.get('etag') ?? '' })],
      [401, await ask(server, '/watches', { authorization: 'Bearer x' })],
      [404, await ask(server, '/nowhere')],
      [422, await ask(server, '/watches?page=0')],
      [403, await ask(server, '/export')],
      [200, await ask(server, '/changes', platinum)],
      [200, await ask(server, '/export', platinum)],
    ] as const
    for (const [status, response] of cases) {
      await response.text()
      const told = [response.status, response.headers.get('x-catalogue-sequence')]
      expect(told).toEqual([status, String(sequence)])
    }
  })

  test('is that of a change once a request has waited for the change', async () => {
    const { server, other, clock } = open()
    for (const price of [11, 12, 13]) {
      const next = (await currentSequence()) + 1
      const waiting = ask(server, '/watches/1', { 'x-min-sequence': String(next) })
      await setPrice(other, clock, 1, { retail_price_usd: price, current_market_price: null })
      const response = await waiting
      const { data } = (await response.json()) as { data: { retail_price_usd: number } }
      expect([response.status, data.retail_price_usd]).toEqual([200, price])
      expect(response.headers.get('x-catalogue-sequence')).toBe(String(next))
    }
  })

  test('of a long poll is not before the change that ended it', async () => {
    const { server, other, clock, platinum } = open()
    const next = (await currentSequence()) + 1
    const waiting = ask(server, `/changes?since=${next - 1}&wait=10`, platinum)
    await setPrice(other, clock, 2, { retail_price_usd: 14, current_market_price: null })
    const response = await waiting
    const { data } = (await response.json()) as { data: { sequence: number }[] }
    expect(data.map(({ sequence }) => sequence)).toEqual([next])
    expect(response.headers.get('x-catalogue-sequence')).toBe(String(next))
  })

  test('that is not reached in time gets 503 with Retry-After, which costs no quota', async () => {
    const { server } = open()
    const left = async () => Number((await ask(server, '/usage')).headers.get('x-ratelimit-remaining'))
    const before = await left()
    const response = await ask(server, '/watches/1', { 'x-min-sequence': '999999999' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBe(before)
    expect(await left()).toBe(before)
  })

  test.each(['', 'x', '-1', '1.5', '1, 2', '1e3', '1'.repeat(16)])(
    'that is malformed (%s) gets 422 and counts like any request',
    async (written) => {
      const { server } = open()
      const response = await ask(server, '/watches/1', { 'x-min-sequence': written })
      expect(response.status).toBe(422)
      expect(await response.json()).toEqual({
        message: 'The given data was invalid.',
        errors: { min_sequence: ['The min sequence must be a whole number of at most 15 digits.'] },
      })
    },
  )

  async function currentSequence(): Promise<number> {
    return (await getHead(open().other.reader)).sequence
  }
})

async function start(engine: Engine) {
  const clock = manualClock()
  const config = await freshConfig(engine, 'sample')
  const server = await startServer(config, openLog(config), clock)
  endLater(() => server.close())
  const other = await openUnmigrated(config)
  const key = await other.write(async (tx) => {
    const draft = { email: 'p@example.com', name: 'P', plan: 'platinum' } as const
    return createKey(tx, clock, await createAccount(tx, clock, draft), 'first')
  })
  return { server, other, clock, platinum: { authorization: `Bearer ${key}` } }
}

function ask(
  server: RunningServer,
  path: string,
  more: Record<string, string> = {},
  method = 'GET',
): Promise<Response> {
  const headers = { authorization: `Bearer ${server.demoKey}`, ...more }
  return fetch(`${server.baseUrl}/api/v1${path}`, { method, headers })
}
