// Tests the price history over real HTTP: its contents, access, range by plan, and cost.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { type PriceLine, priceLinesMax } from '../../src/catalogue/price-history.ts'
import { pricesRows } from '../../src/catalogue/prices.ts'
import type { Answer } from '../../src/http/contract/schemas.ts'
import type { Database } from '../../src/storage/database.ts'
import { writeRows } from '../../src/storage/write-rows.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'

const today = '2026-03-01'
const dayMs = 86_400_000
const dayBefore = (days: number) => new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10)

const silent = { LOG_LEVEL: 'silent' }
const path = '/watches/1/prices'

const line = (date: string, market: number | null, retail: number | null = 43_000): PriceLine => ({
  date,
  retail_price_usd: retail,
  current_market_price: market,
  source: 'test',
})

describeEachEngine('the history of a watch', (engine) => {
  const shared = share(() => startPlanServer(engine, silent))

  test('is returned newest first, with the prices valid from each day, within the range', async () => {
    const server = shared()
    const lines = [line('2025-12-24', 30_000.5), line('2026-01-31', null, null), line('2026-02-28', 31_000)]
    await setHistory(server.database, lines)
    const dates = async (query: string) =>
      (await historyOf(server, 'platinum', query)).data.map(({ date }) => date)
    // A line without prices says nothing: those of the line before stay valid.
    const valid = lines.with(1, line('2026-01-31', 30_000.5))
    expect((await historyOf(server, 'platinum')).data).toEqual(valid.toReversed())
    expect((await historyOf(server, 'platinum', '?from=2026-01-31&to=2026-01-31')).data).toEqual([valid[1]])
    expect(await dates('?from=2026-01-31')).toEqual(['2026-02-28', '2026-01-31'])
    expect(await dates('?from=2026-02-01')).toEqual(['2026-02-28'])
    expect(await dates('?to=2026-01-31')).toEqual(['2026-01-31', '2025-12-24'])
    expect(await dates('?to=2026-01-30')).toEqual(['2025-12-24'])
    expect(await dates('?from=2026-01-31&to=2026-01-31&page=7')).toEqual(['2026-01-31'])
    expect(await dates('?from=2027-01-01')).toEqual([])
  })

  test('and its changes equal those of a naive computation', async () => {
    const server = shared()
    const price = fc.option(
      fc.oneof(fc.constantFrom(0, 100, 0.1, 1e-300, 1e300), fc.double({ min: 0, max: 1e6, noNaN: true })),
    )
    const age = fc.oneof(fc.integer({ min: -1, max: 800 }), fc.constantFrom(0, 29, 30, 31, 364, 365, 366))
    const history = fc.uniqueArray(
      fc.record({ age, market: price, retail: price }).map((one) => ({
        ...line(dayBefore(one.age), one.market, one.retail),
      })),
      { selector: ({ date }) => date, maxLength: 12 },
    )
    const day = fc.option(age.map(dayBefore), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(history, day, day, fc.constantFrom('pro', 'platinum'), async (lines, a, b, plan) => {
        const [from, to] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b]
        await setHistory(server.database, lines)
        const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) })
        const told = await historyOf(server, plan as PlanName, `?${query}`)
        const first = plan === 'pro' ? dayBefore(365) : ''
        const newest = lines.toSorted((one, other) => (one.date < other.date ? 1 : -1))
        const range = newest.filter(
          ({ date }) => date >= (from ?? '') && date <= (to ?? '9') && date >= first,
        )
        expect(told.data).toEqual(
          range.map((one) => ({
            ...one,
            retail_price_usd: newestOf(newest, 'retail_price_usd', one.date),
            current_market_price: newestOf(newest, 'current_market_price', one.date),
          })),
        )
        expectChange(told.change_30d, newest, 30)
        expectChange(told.change_365d, newest, 365)
      }),
      { numRuns: 60 },
    )
  })

  test('has no price from the day on which it was removed', async () => {
    const server = shared()
    await setHistory(server.database, [line('2024-01-01', 80, 100), line('2024-02-01', null, 110)])
    const price = { current_market_price: null }
    await server.database.write((tx) => tx.updateTable('watches').set(price).where('id', '=', 1).execute())
    const { data, change_365d } = await historyOf(server, 'platinum')
    expect(data.map((one) => [one.current_market_price, one.retail_price_usd])).toEqual([
      [null, 110],
      [80, 100],
    ])
    expect(change_365d).toBeNull()
  })

  test('is cut to the newest lines if there are more than the maximum', async () => {
    const server = shared()
    const lines = Array.from({ length: priceLinesMax + 2 }, (_, age) => line(dayBefore(age), age))
    await setHistory(server.database, lines)
    const { data, change_30d } = await historyOf(server, 'platinum')
    expect([data.length, data[0]?.date, data.at(-1)?.date]).toEqual([
      priceLinesMax,
      today,
      dayBefore(priceLinesMax - 1),
    ])
    expect(change_30d).toBe(-100)
    const { data: older } = await historyOf(server, 'platinum', `?to=${dayBefore(priceLinesMax)}`)
    expect(older.map(({ current_market_price }) => current_market_price)).toEqual([
      priceLinesMax,
      priceLinesMax + 1,
    ])
  })

  // Last, because it moves the clock.
  test('goes back exactly 365 days on Pro, and without limit on Platinum', async () => {
    const server = shared()
    await setHistory(
      server.database,
      [366, 365, 364, 0].map((days) => line(dayBefore(days), days + 1)),
    )
    const ages = async (plan: PlanName, query = '') =>
      (await historyOf(server, plan, query)).data.map(({ current_market_price: price }) => Number(price) - 1)
    expect(await ages('platinum')).toEqual([0, 364, 365, 366])
    expect(await ages('pro')).toEqual([0, 364, 365])
    expect(await ages('pro', '?from=2020-01-01')).toEqual([0, 364, 365])
    expect(await ages('pro', `?to=${dayBefore(366)}`)).toEqual([])
    expect(await ages('pro', `?from=${dayBefore(364)}`)).toEqual([0, 364])
    server.wait(dayMs / 2)
    expect(await ages('pro')).toEqual([0, 364])
    expect(await ages('platinum')).toEqual([0, 364, 365, 366])
  })
})

describe('a request for prices', () => {
  const engine = createEngine()
  const shared = share(() => startPlanServer(engine, silent))

  const wrong: [string, Record<string, string[]>][] = [
    ['from=', { from: ['The from field is required.'] }],
    ['from=2026-2-1', { from: ['The from does not match the format YYYY-MM-DD.'] }],
    ['from=2026-02-01T00:00:00Z', { from: ['The from does not match the format YYYY-MM-DD.'] }],
    ['from=%202026-02-01', { from: ['The from does not match the format YYYY-MM-DD.'] }],
    ['to=20260201', { to: ['The to does not match the format YYYY-MM-DD.'] }],
    ['to=٢٠٢٦-٠٢-٠١', { to: ['The to does not match the format YYYY-MM-DD.'] }],
    ['from=2025-02-29', { from: ['The from is not a valid date.'] }],
    ['from=2026-00-10', { from: ['The from is not a valid date.'] }],
    ['to=2026-04-31', { to: ['The to is not a valid date.'] }],
    ['to=2026-13-01', { to: ['The to is not a valid date.'] }],
    ['from=2026-02-02&to=2026-02-01', { to: ['The to must be a date after or equal to from.'] }],
    ['from=2026-02-01&from=2026-02-01', { from: ['The from must be given once.'] }],
    ['from[gte]=2026-02-01', { from: ['The from must be written without brackets.'] }],
    ['to=%ff', { to: ['The to must be valid percent-encoded UTF-8.'] }],
    [
      'from=now&to=2026-99-01',
      {
        from: ['The from does not match the format YYYY-MM-DD.'],
        to: ['The to is not a valid date.'],
      },
    ],
  ]
  test('that is invalid is rejected with all errors', async () => {
    const server = shared()
    for (const [query, errors] of wrong) {
      const answer = await server.ask('pro', `${path}?${query}`)
      const body = { message: 'The given data was invalid.', errors }
      expect([query, answer.status, await answer.json()]).toEqual([query, 422, body])
    }
  })

  test('is rejected first by plan, then by query, then by watch', async () => {
    const server = shared()
    const status = async (plan: PlanName, asked: string) => (await server.ask(plan, asked)).status
    const missing = '/watches/999999999/prices'
    for (const asked of [path, missing, `${missing}?from=x`]) expect(await status('free', asked)).toBe(403)
    expect(await status('pro', `${missing}?from=x`)).toBe(422)
    for (const id of ['999999999', '0', 'x', '01', '1.0', '9'.repeat(20)]) {
      expect([id, await status('pro', `/watches/${id}/prices`)]).toEqual([id, 404])
    }
    expect(await status('pro', path)).toBe(200)
    expect(await status('pro', `${path}?from=2024-02-29&to=2024-02-29&unknown=1`)).toBe(200)
  })

  test('costs one, and nothing with a current ETag', async () => {
    const server = shared()
    const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'))
    const first = await server.ask('pro', path)
    const etag = first.headers.get('etag') ?? ''
    expect([etag, first.headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^"[\w-]{27}"$/),
      'private, no-cache',
    ])
    const held = await server.ask('pro', path, { headers: { 'if-none-match': etag } })
    expect([held.status, await held.text(), held.headers.get('etag')]).toEqual([304, '', etag])
    expect(remaining(held)).toBe(remaining(first))
    const other = await server.ask('pro', path, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, remaining(other)]).toEqual([200, remaining(first) - 1])
    const wrong = await server.ask('pro', `${path}?to=x`, { headers: { 'if-none-match': '*' } })
    expect([wrong.status, remaining(wrong)]).toEqual([422, remaining(first) - 2])
    const lacking = await server.ask('free', path, { headers: { 'if-none-match': '*' } })
    expect(lacking.status).toBe(403)
  })

  test('gets 304 with a current ETag when the quota is spent, and 429 otherwise', async () => {
    const spent = await startPlanServer(engine, { ...silent, PLAN_LIMITS: 'pro=1' }, 'few')
    const etag = (await spent.ask('pro', path)).headers.get('etag') ?? ''
    expect((await spent.ask('pro', path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await spent.ask('pro', path)).status).toBe(429)
    expect((await spent.ask('pro', path, { headers: { 'if-none-match': '"x"' } })).status).toBe(429)
  })

  test('gets no body for HEAD, and is compressed on request', async () => {
    const server = shared()
    await setHistory(
      server.database,
      Array.from({ length: 100 }, (_, age) => line(dayBefore(age), age)),
    )
    const plain = await server.ask('pro', path, { headers: { 'accept-encoding': 'identity' } })
    const body = await plain.text()
    const head = await server.ask('pro', path, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(plain.headers.get('etag'))
    expect(Number(head.headers.get('content-length'))).toBe(body.length)
    const zipped = await server.ask('pro', path, { headers: { 'accept-encoding': 'gzip' } })
    expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', body])
    expect(zipped.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    const held = { 'accept-encoding': 'gzip', 'if-none-match': zipped.headers.get('etag') ?? '' }
    expect((await server.ask('pro', path, { headers: held })).status).toBe(304)
  })

  test('for a watch without prices gets an empty list', async () => {
    const server = shared()
    await setHistory(server.database, [])
    expect(await historyOf(server, 'pro')).toEqual({ data: [], change_30d: null, change_365d: null })
  })

  // Last, because it moves the clock.
  test('gets another ETag if and only if the response differs', async () => {
    const server = shared()
    const etag = async (plan: PlanName = 'platinum') =>
      (await server.ask(plan, path)).headers.get('etag') ?? ''
    const lines = [line(dayBefore(700), 80), line(dayBefore(40), 100), line(dayBefore(29), 110)]
    await setHistory(server.database, lines)
    const before = await etag()
    const proBefore = await etag('pro')
    // The line of 40 days ago is no longer the one in effect 30 days ago.
    server.wait(dayMs)
    const nextDay = await etag()
    expect(nextDay).not.toBe(before)
    server.wait(dayMs)
    expect(await etag()).toBe(nextDay)
    // Adds a line in the past, which does not change the watch.
    const proNextDay = await etag('pro')
    await setHistory(server.database, [line(dayBefore(800), 90), ...lines])
    expect(await etag()).not.toBe(nextDay)
    expect(await etag('pro')).toBe(proNextDay)
    expect(proNextDay).not.toBe(proBefore)
  })
})

/** Replaces the history. The newest price of each kind becomes that of the watch. */
function setHistory(database: Database, lines: readonly PriceLine[]): Promise<void> {
  const newest = lines.toSorted((one, other) => (one.date < other.date ? 1 : -1))
  const price = {
    retail_price_usd: newestOf(newest, 'retail_price_usd'),
    current_market_price: newestOf(newest, 'current_market_price'),
  }
  return database.write(async (tx) => {
    await tx.updateTable('watches').set(price).where('id', '=', 1).execute()
    await tx.deleteFrom('prices').where('watch_id', '=', 1).execute()
    const rows = lines.map((one) => [1, one.date, one.retail_price_usd, one.current_market_price, one.source])
    await writeRows(tx, database.engine, pricesRows, rows)
  })
}

/** The newest price of a kind up to a day. */
function newestOf(
  newest: readonly PriceLine[],
  field: 'retail_price_usd' | 'current_market_price',
  to = '9',
): number | null {
  return newest.find((one) => one.date <= to && one[field] !== null)?.[field] ?? null
}

async function historyOf(server: PlanServer, plan: PlanName, query = ''): Promise<Answer<'PriceHistory'>> {
  const answer = await server.ask(plan, `${path}${query}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer<'PriceHistory'>
}

/** Checks a change by its definition: from the newest price known on the day to the newest of all, to two decimals. */
function expectChange(told: number | null, newest: readonly PriceLine[], days: number): void {
  const now = newestOf(newest, 'current_market_price') ?? undefined
  const then = newestOf(newest, 'current_market_price', dayBefore(days)) ?? undefined
  const percent = now === undefined || !then ? undefined : (now / then - 1) * 100
  // Beyond this a hundredth of a percent cannot be counted in a double, and the change is unknown.
  const countableMax = Number.MAX_VALUE / 100
  if (percent === undefined || percent > countableMax * 1.001) expect(told).toBeNull()
  else if (percent < countableMax * 0.999) expect(told).not.toBeNull()
  if (percent === undefined || told === null) return
  const allowed = 0.005 + Math.abs(percent) * 1e-9
  expect(Math.abs(told - percent)).toBeLessThanOrEqual(allowed)
  if (Math.abs(percent) < 1e9) expect(String(told)).toMatch(/^-?\d+(\.\d\d?)?$/)
}
