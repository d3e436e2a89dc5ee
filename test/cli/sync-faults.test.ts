// Tests what `watchdata sync` leaves behind when something fails on the way: an interrupted export, a used up quota, a
// service that is down or is none.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startPlanServer } from '../api/plan-server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine } from '../databases/engines.ts'
import { manualClock } from '../manual-clock.ts'
import { cut, type FaultyHandler, json, openFaultyServer } from '../sdk/faulty-server.ts'
import { formats, makeTarget, type Target, untilServed } from './syncing.ts'
import { startWarmly, warmly } from './warm-command.ts'

const sqlite = createEngine()
const fields = { brand: 'Omega', collection: '', reference_number: 'R', updated_at: '2026-03-01T13:00:00Z' }
const watch = (id: number, price: number) => ({
  ...{ id, ...fields, retail_price_usd: null, current_market_price: price, specs: {} },
})

/** An export of two watches that has not ended yet. */
const begun: FaultyHandler = (response) => {
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-change-cursor': '0198c2f4-7' })
  for (const id of [1, 2]) response.write(`${JSON.stringify(watch(id, 10))}\n`)
}
const whole: FaultyHandler = (response, request) => {
  begun(response, request)
  response.end()
}
const broken: FaultyHandler = (response, request) => {
  begun(response, request)
  setImmediate(() => response.destroy())
}
/** A page of changes: the price of watch 1 is its sequence. */
const changes = (sequence: number, hasMore = false) => {
  const change = { sequence, type: 'watch.price_changed', watch_id: 1, watch: watch(1, sequence) }
  return json(200, { data: [change], meta: { next_cursor: `0198c2f4-${sequence}`, has_more: hasMore } })
}
const unchanged: FaultyHandler = (response) => response.writeHead(304).end()
const expired = json(410, { message: 'The change log no longer goes back that far.' })
const spent = json(429, {}, { 'x-ratelimit-reset': '1772409600' })
const filesBeside = ({ file }: Target) => readdirSync(path.dirname(file))

async function sync(target: Target, ...handlers: FaultyHandler[]) {
  const { baseUrl, requests } = await openFaultyServer(...handlers)
  const env = { WATCHDATA_URL: baseUrl, WATCHDATA_KEY: 'wd_live_x' }
  return { ...(await warmly(['sync', '--to', target.to], env)), requests, env }
}

/** Answers the requests for changes in order, and those for the export as it is told. */
async function openScripted(feed: readonly FaultyHandler[], exports: readonly FaultyHandler[] = [whole]) {
  const left = { '/changes': [...feed], '/export': [...exports] }
  const { baseUrl, requests } = await openFaultyServer((response, request) => {
    const name = request.url?.includes('/export') ? '/export' : '/changes'
    left[name].shift()?.(response, request)
  })
  return { requests, left, env: { WATCHDATA_URL: baseUrl, WATCHDATA_KEY: 'wd_live_x' } }
}

test.each(formats)('a first export that is cut leaves nothing behind: %s', async (format) => {
  const target = await makeTarget(format)
  const { code, stderr } = await sync(target, broken)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^watchdata: No response from .*: run the command again later\.\n$/),
  ])
  expect(filesBeside(target)).toEqual([])
})

test.each(formats)('an export that is cut leaves the old copy: %s', async (format) => {
  const target = await makeTarget(format)
  const { env, left } = await openScripted([changes(8), expired, expired], [whole, broken, whole])
  const run = () => warmly(['sync', '--to', target.to], env)
  await run()
  const files = filesBeside(target)
  const copy = target.watches()
  const { code, stdout, stderr } = await run()
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('exporting the catalogue anew.\n')
  expect([target.watches(), target.cursor(), filesBeside(target)]).toEqual([copy, '0198c2f4-8', files])
  left['/changes'].push(unchanged)
  expect((await run()).stdout).toContain('has 2 watches, as of change 7. 2 exported, then')
  expect(target.watches()).toEqual([watch(1, 10), watch(2, 10)])
})

test.each(formats)('Ctrl-C during an export leaves nothing behind: %s', async (format) => {
  const target = await makeTarget(format)
  const { promise: isBegun, resolve } = Promise.withResolvers<void>()
  const { env } = await openScripted(
    [],
    [
      (response, request) => {
        begun(response, request)
        resolve()
      },
    ],
  )
  const running = startWarmly(['sync', '--to', target.to], env)
  await Promise.race([isBegun, running.outcome])
  const { code, stdout, stderr } = await running.end()
  expect([code, stdout, stderr]).toEqual([130, '', 'Stopped. Nothing was written.\n'])
  expect(filesBeside(target)).toEqual([])
})

test.each(formats)('readers see the old copy until the new one is complete: %s', async (format) => {
  const target = await makeTarget(format)
  const { promise: isBegun, resolve } = Promise.withResolvers<() => void>()
  const { env } = await openScripted(
    [changes(8), expired, unchanged],
    [
      whole,
      (response, request) => {
        begun(response, request)
        resolve(() => response.end(`${JSON.stringify(watch(3, 30))}\n`))
      },
    ],
  )
  await warmly(['sync', '--to', target.to], env)
  const running = startWarmly(['sync', '--to', target.to], env)
  const end = await Promise.race([isBegun, running.outcome.then(() => () => {})])
  expect(target.watches()).toEqual([watch(1, 8), watch(2, 10)])
  end()
  await running.outcome
  expect(target.watches()).toEqual([watch(1, 10), watch(2, 10), watch(3, 30)])
})

test.each(formats)(
  'a used up quota keeps what was applied, and the next run goes on there: %s',
  async (format) => {
    const target = await makeTarget(format)
    const { env, requests } = await openScripted([changes(8, true), changes(9, true), spent, changes(10)])
    const { code, stdout, stderr } = await warmly(['sync', '--to', target.to], env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(' has 2 watches, as of change 9. 2 exported, then 0 added')
    expect(stderr).toContain(
      'watchdata: The quota of this key is used up until 2026-03-02 00:00:00 UTC. Run the command again then: it goes on where it stopped.\n',
    )
    expect(target.watches()).toEqual([watch(1, 9), watch(2, 10)])
    expect((await warmly(['sync', '--to', target.to], env)).stdout).toContain(
      'as of change 10. 0 added, 1 changed',
    )
    expect(requests.at(-1)?.url).toBe('/api/v1/changes?since=0198c2f4-9&limit=500&types=watch.*')
    expect(requests.at(-1)?.headers['if-none-match']).toBe('"0198c2f4-9"')
  },
)

test('a quota that is too small for all pages is not spent on them, and a new day goes on', async () => {
  const limits = 'free=10000,pro=5,platinum=2'
  const { baseUrl, keys, database, wait } = await startPlanServer(sqlite, { PLAN_LIMITS: limits })
  const run = (target: Target, key: string) =>
    warmly(['sync', '--to', target.to], { WATCHDATA_URL: baseUrl, WATCHDATA_KEY: key })
  const unread = await makeTarget('ndjson')
  expect((await run(unread, keys.pro)).stderr).toMatch(
    /page by page takes 3 more requests, and 2 are left until .* 00:00:00 UTC: run the command again then\.\n$/,
  )
  expect(unread.exists()).toBe(false)
  const target = await makeTarget('ndjson')
  expect((await run(target, keys.platinum)).code).toBe(0)
  const [before] = target.watches()
  const price = { retail_price_usd: 12, current_market_price: 12 }
  await setPrice(database, manualClock(), 1, price)
  // This is the second request of the day, and the last.
  await untilServed(database, `${baseUrl}/api/v1`, keys.platinum)
  const { code, stderr } = await run(target, keys.platinum)
  expect([code, stderr]).toEqual([1, expect.stringContaining('used up until')])
  expect(target.watches()[0]).toEqual(before)
  wait(86_400_000)
  expect((await run(target, keys.platinum)).code).toBe(0)
  expect(target.watches()[0]).toMatchObject(price)
})

test('a run that follows survives a service that is down for a while', async () => {
  const target = await makeTarget('ndjson')
  const down = [cut, cut, cut]
  const { env } = await openScripted([unchanged, ...down, changes(8)])
  const running = startWarmly(['sync', '--to', target.to, '--follow'], env)
  await running.said(/No response from .* \(.*\): trying again\.\n[\s\S]*responds again\.\n/)
  await running.said(/0 added, 1 changed, 0 deleted/)
  expect((await running.end()).code).toBe(0)
  expect(target.watches()).toEqual([watch(1, 8), watch(2, 10)])
})

test.each<[string, FaultyHandler]>([
  ['is not the API of a watchdata service: check --url.', json(404, {})],
  ['is not the API of a watchdata service: check --url.', json(200, { data: 1 })],
  ['is not the API of a watchdata service: check --url.', (response) => response.end('<p>Hello</p>\n')],
  [
    'redirects to https://w.example/: give that address with --url.',
    json(301, {}, { location: 'https://w.example/' }),
  ],
  [
    'a line of the export is too long to be a watch',
    (response, request) => {
      begun(response, request)
      response.end('x'.repeat(2_000_000))
    },
  ],
])('says in one sentence that it %s', async (sentence, handler) => {
  const target = await makeTarget('ndjson')
  const { code, stdout, stderr } = await sync(target, handler)
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1])
  expect(stderr).toContain(sentence)
  expect(filesBeside(target)).toEqual([])
})

test('a service that refuses each cursor that it gives is not asked forever', async () => {
  const target = await makeTarget('sqlite')
  const { env } = await openScripted([expired, expired, expired, expired], [whole, whole, whole, whole])
  const { code, stderr } = await warmly(['sync', '--to', target.to], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('refuses the cursor that it has just given.\n')])
  expect(statSync(target.file).size).toBeGreaterThan(0)
})

test('a copy that was edited is not merged into', async () => {
  const target = await makeTarget('ndjson')
  const { env } = await openScripted([unchanged, changes(8)])
  await warmly(['sync', '--to', target.to], env)
  const edited = `${readFileSync(target.file, 'utf8').trim().split('\n').reverse().join('\n')}\n`
  writeFileSync(target.file, edited)
  const { code, stderr } = await warmly(['sync', '--to', target.to], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('has been edited, and is no copy any more')])
  expect(readFileSync(target.file, 'utf8')).toBe(edited)
  expect(filesBeside(target)).not.toContain('watches.ndjson.partial')
})
