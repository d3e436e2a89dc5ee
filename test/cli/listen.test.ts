// Tests `watchdata listen` as a customer runs it: against a fake service with scripted responses, and against the real
// one.
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { findFreePort } from '../programs/free-port.ts'
import { command, start } from './command.ts'
import { type Arrived, feedAnswer, openFeed, openReceiver } from './listening.ts'
import { openServedFixture } from './sample-fixture.ts'
import { startWarmly, warmly } from './warm-command.ts'

const epoch = '0198c2f4'
const at = '2026-03-01T18:00:00.000Z'
const now = feedAnswer([], `${epoch}-7`)

function updated(sequence: number, reference = '124060') {
  const watch = { id: 42, brand: 'Rolex', reference_number: reference }
  const changes = { collection: { old: 'Sub', new: 'Submariner' } }
  return { sequence, type: 'watch.updated', at, watch_id: 42, watch, changes }
}

function deleted(sequence: number) {
  const last = { brand: 'Omega', collection: 'Seamaster', reference_number: '210.30' }
  return { sequence, type: 'watch.deleted', at, watch_id: 43, watch: null, deleted: last }
}

const sqlite = createEngine()
const served = share(() => openServedFixture(sqlite))
const settings = (url: string) => ({ WATCHDATA_KEY: 'wd_live_x', WATCHDATA_URL: url })

/** Verifies a delivery as a receiver does: throws unless the signature is valid. */
function verified(secret: string, { body, headers }: Arrived): unknown {
  return new Webhook(secret).verify(body, headers)
}

test('posts each event as the service would, signed with the secret it prints', async () => {
  const feed = await openFeed(now, feedAnswer([updated(8), deleted(9)], `${epoch}-9`))
  const receiver = await openReceiver()
  const listening = start(command, ['listen', '--forward-to', receiver.url], settings(feed.url))
  const [, secret = ''] = /\n {2}(whsec_\S+)\n/.exec(await listening.said(/whsec_\S+\n/)) ?? []
  const [first, second] = (await receiver.first(2)) as [Arrived, Arrived]
  const { sequence, type, at: timestamp, ...members } = updated(8)
  expect(verified(secret, first)).toEqual({
    type,
    timestamp,
    data: { sequence, previous_sequence: 7, ...members },
  })
  expect(verified(secret, second)).toMatchObject({ data: { sequence: 9, previous_sequence: 8, watch: null } })
  expect(first.headers).toMatchObject({
    'webhook-id': expect.stringMatching(`^evt_${epoch}_8_[a-z0-9]+$`),
    'content-type': 'application/json',
  })
  await listening.said(/watch\.deleted .*→ 204/)
  const { code, stdout, stderr } = await listening.end()
  expect(stdout).toMatch(
    /^2026-03-0\d \d\d:\d\d:00 {2}watch\.updated {8}#42 Rolex 124060 {2}collection {2}→ 204 in \d+ ms\n\S+ \S+ {2}watch\.deleted {8}#43 Omega 210\.30 {2}→ 204 in \d+ ms\n$/,
  )
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`\n2 events forwarded, 0 failed. To go on from here: --since ${epoch}-9\n`),
  ])
})

test('while nothing happens it sends only conditional requests, which cost nothing', async () => {
  const feed = await openFeed(now, { status: 304 }, feedAnswer([updated(8)], `${epoch}-8`))
  const listening = startWarmly(['listen'], settings(feed.url))
  await listening.said(/#42/)
  const asked = feed.asked.map(({ url, headers }) => [
    Object.fromEntries(new URL(url ?? '', feed.url).searchParams),
    headers['if-none-match'],
  ])
  const then = [{ since: `${epoch}-7`, limit: '100', wait: '10' }, `"${epoch}-7"`]
  expect(asked.slice(0, 3)).toEqual([[{ since: 'now', limit: '100' }, '"now"'], then, then])
  expect(feed.asked[0]?.url).toMatch(/^\/api\/v1\/changes\?/)
  expect(feed.asked[0]?.headers.authorization).toBe('Bearer wd_live_x')
})

test('requests the next page immediately while there are more events', async () => {
  const feed = await openFeed(
    now,
    feedAnswer([updated(8)], `${epoch}-8`, true),
    feedAnswer([deleted(9)], `${epoch}-9`),
  )
  const listening = startWarmly(['listen', '--url', `${feed.url}/api/v1/`], { WATCHDATA_KEY: 'wd_live_x' })
  await listening.said(/#43/)
  expect(feed.asked[2]?.url).toBe(`/api/v1/changes?since=${epoch}-8&limit=100`)
})

test.each([`${epoch}-5`, '5'])(
  'requests the named events, and starts at the given cursor: %s',
  async (since) => {
    const feed = await openFeed(feedAnswer([updated(6)], `${epoch}-6`))
    const receiver = await openReceiver()
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const args = ['--events', 'watch.updated, brand.*', '--since', since, '--secret', secret]
    const listening = startWarmly(['listen', ...args, '--forward-to', receiver.url], settings(feed.url))
    const [first] = (await receiver.first(1)) as [Arrived]
    expect(verified(secret, first)).toMatchObject({ data: { sequence: 6, previous_sequence: 5 } })
    const { types } = Object.fromEntries(new URL(feed.asked[0]?.url ?? '', feed.url).searchParams)
    expect(types).toBe('watch.updated,brand.created,brand.updated,brand.deleted')
    const { stderr } = await listening.end('SIGTERM')
    expect(stderr).not.toContain(secret)
  },
)

test('a receiver that rejects an event misses it; the next event arrives and shows the gap', async () => {
  const feed = await openFeed(now, feedAnswer([updated(8), deleted(9)], `${epoch}-9`))
  const receiver = await openReceiver(500)
  const listening = startWarmly(['listen', '--forward-to', receiver.url], settings(feed.url))
  await listening.said(/#42 Rolex 124060 {2}collection {2}→ 500 in \d+ ms: as the test wants it\n/)
  await listening.said(/#43 Omega 210\.30 {2}→ 204/)
  expect(receiver.arrived.map(({ body }) => JSON.parse(body).data.previous_sequence)).toEqual([7, 8])
  expect((await listening.end()).stderr).toContain(
    `1 event forwarded, 1 failed. To go on with the first that failed, and all after it: --since ${epoch}-7\n`,
  )
})

test('after 401 and 400 responses the user is asked once whether the secret is right', async () => {
  const feed = await openFeed(now, feedAnswer([updated(8), updated(9), deleted(10)], `${epoch}-10`))
  const receiver = await openReceiver(401, 400)
  const listening = startWarmly(['listen', '--forward-to', receiver.url], settings(feed.url))
  await listening.said(/→ 204/)
  expect((await listening.end()).stderr.match(/is its secret the one above\?/g)).toHaveLength(1)
})

test('an output line lists what changed', async () => {
  const changes = Object.fromEntries(
    ['collection', 'specs.bezel', 'specs.crown', 'specs.\u001b', 'specs.lug'].map((field) => [
      field,
      { old: 1, new: 2 },
    ]),
  )
  const current_market_price = { old: 11_800, new: 12_100 }
  const prices = { retail_price_usd: { old: null, new: 9_500.5 }, current_market_price }
  const feed = await openFeed(
    now,
    feedAnswer(
      [
        { ...updated(8), changes },
        { ...updated(9), type: 'watch.price_changed', changes: prices },
      ],
      `${epoch}-9`,
    ),
  )
  const listening = startWarmly(['listen'], settings(feed.url))
  await listening.said(/124060 {2}collection, specs\.bezel, specs\.crown and 2 more\n/)
  await listening.said(/124060 {2}retail – → 9,500\.5, market 11,800 → 12,100\n/)
})

test('a receiver that is briefly down misses nothing, and gets events in order', async () => {
  const feed = await openFeed(now, feedAnswer([updated(8), deleted(9)], `${epoch}-9`))
  const port = await findFreePort()
  const listening = startWarmly(['listen', '--forward-to', `http://127.0.0.1:${port}/`], settings(feed.url))
  await listening.said(/Nothing accepts events at .* \(connection refused\): trying again\.\n/)
  const server = createServer((_, response) => response.writeHead(204).end()).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await listening.said(/#42 .*→ 204[\s\S]*#43 .*→ 204/)
  expect((await listening.end()).stderr).toContain('2 events forwarded, 0 failed.')
})

test('a receiver that stays down is retried a few times, and then the event is skipped', async () => {
  const feed = await openFeed(feedAnswer([updated(8)], `${epoch}-8`))
  const url = `http://127.0.0.1:${await findFreePort()}/`
  const listening = startWarmly(['listen', '--forward-to', url, '--since', '5'], settings(feed.url))
  await listening.said(/#42 Rolex 124060 {2}collection {2}→ connection refused\n/)
  expect((await listening.end()).stderr).toMatch(/0 events forwarded, 1 failed\. .*--since 0198c2f4-5\n/)
})

test('with --json, stdout contains only the posted bodies', async () => {
  const feed = await openFeed(now, feedAnswer([updated(8), deleted(9)], `${epoch}-9`))
  const receiver = await openReceiver()
  const listening = startWarmly(['listen', '--json', '--forward-to', receiver.url], settings(feed.url))
  await receiver.first(2)
  await listening.said(/"sequence":9/)
  const { stdout } = await listening.end()
  expect(stdout).toBe(receiver.arrived.map(({ body }) => `${body}\n`).join(''))
})

test('specs are forwarded byte for byte, and printed without control characters', async () => {
  const specs = '{"jewels":25.0,"serial":12345678901234567890,"__proto__":1e400}'
  const change = `{"sequence":8,"type":"watch.created","at":"${at}","watch_id":1,"watch":{"brand":"\\u001b[31m","specs":${specs}}}`
  const body = `{"data":[${change}],"meta":{"next_cursor":"${epoch}-8","has_more":false}}`
  const listening = startWarmly(['listen', '--json'], settings((await openFeed(now, { body })).url))
  await listening.said(/"sequence":8/)
  expect((await listening.end()).stdout).toContain(`"specs":${specs}`)
  const plain = startWarmly(['listen'], settings((await openFeed(now, { body })).url))
  await plain.said(/#1 \\u001b\[31m/)
})

test('a service that is down is retried; its loss and its return are reported once', async () => {
  const port = await findFreePort()
  const listening = startWarmly(['listen'], settings(`http://127.0.0.1:${port}`))
  await listening.said(/No response from .*\(connection refused\): trying again/)
  const server = createServer((request, response) => {
    if (request.url?.includes('since=now')) response.end(now.body)
  }).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await listening.said(/responds again\.\nListening to/)
  const { code, stderr } = await listening.end()
  expect([code, stderr.match(/No response/g)?.length]).toEqual([0, 1])
})

test('Retry-After of a 429 response is obeyed', async () => {
  const spent = { status: 429, headers: { 'retry-after': '3' } }
  const feed = await openFeed(now, spent, feedAnswer([updated(8)], `${epoch}-8`))
  const listening = startWarmly(['listen'], settings(feed.url))
  await listening.said(/No requests are left for now \(429\): trying again at \d\d:\d\d:\d\d\.\n/)
  await listening.said(/responds again\.[\s\S]*#42/)
})

test.each([
  [{ status: 401 }, 'does not know this key: set WATCHDATA_KEY to a valid one.'],
  [{ status: 403 }, 'The plan of this key has no change feed: Pro and Platinum have it.'],
  [{ status: 404 }, 'is not the API of a watchdata service: check --url.'],
  [{ status: 200, body: '<p>' }, 'is not the API of a watchdata service: check --url.'],
  [
    { status: 301, headers: { location: 'https://w.example/' } },
    'to https://w.example/: give that address with --url.',
  ],
  [
    { status: 422, body: '{"errors":{"since":["The since must be a cursor."]}}' },
    'The service cannot go on from now: The since must be a cursor.',
  ],
])('ends with a plain sentence if it cannot continue: %o', async (answer, sentence) => {
  const feed = await openFeed(answer)
  const { code, stdout, stderr } = await warmly(['listen'], settings(feed.url))
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^watchdata: .*\.\n$/)
  expect(stderr).toContain(sentence)
})

test.each([
  [[], 'set WATCHDATA_KEY'],
  [['--key', 'wd live'], 'characters that no key has'],
  [['--key', 'x', '--events', 'watch.sold'], 'There is no event watch.sold'],
  [
    ['--key', 'x', '--url', '127.0.0.1:80'],
    '--url 127.0.0.1:80 is no address: write it as https://watches.example.com.',
  ],
  [
    ['--key', 'x', '--forward-to', '/hooks'],
    '--forward-to /hooks is no address: write it as http://localhost:3000/events.',
  ],
  [['--key', 'x', '--secret', 'whsec_short'], 'whsec_ and 24 to 64 bytes'],
])('rejects %j as a usage error, before it sends a request', async (args, words) => {
  const { code, stderr } = await warmly(['listen', ...args])
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('a change by the operator arrives signed at the customer’s program, and waiting costs nothing', async () => {
  const { api, ...fixture } = served()
  const { key } = await fixture.json('account', 'create', '--email', 'a@example.com', '--plan', 'pro')
  const used = async () => {
    const answer = await fetch(`${api}/usage`, { headers: { authorization: `Bearer ${key}` } })
    return ((await answer.json()) as { data: { used: number } }).data.used
  }
  const receiver = await openReceiver()
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const args = ['--url', api, '--secret', secret, '--forward-to', receiver.url]
  const listening = startWarmly(['listen', ...args], { WATCHDATA_KEY: key })
  await listening.said(/Listening to/)
  expect(await used()).toBe(1)
  await fixture.json('watch', 'edit', '124060', '--set', 'current_market_price=12100')
  const [first] = (await receiver.first(1)) as [Arrived]
  const price = { old: 11_800, new: 12_100 }
  expect(verified(secret, first)).toMatchObject({
    type: 'watch.price_changed',
    data: { watch: { reference_number: '124060' }, changes: { current_market_price: price } },
  })
  await listening.said(/watch\.price_changed {2}#242 Rolex 124060 {2}market 11,800 → 12,100 {2}→ 204/)
  expect(await used()).toBe(2)
  const { sequence, previous_sequence } = JSON.parse(first.body).data
  expect(sequence).toBe(previous_sequence + 1)
  const { code, stderr } = await listening.end()
  expect(code).toBe(0)
  // The cursor printed at the end of a run is where the next run starts.
  const [, cursor = ''] = /--since (\S+)/.exec(stderr) ?? []
  await fixture.json('watch', 'delete', '242', '--yes')
  const next = startWarmly(['listen', ...args, '--since', cursor], { WATCHDATA_KEY: key })
  await next.said(/watch\.deleted {8}#242 Rolex 124060 {2}→ 204/)
  expect(JSON.parse(receiver.arrived[1]?.body ?? '').data.previous_sequence).toBe(sequence)
  await next.end()
})

test('a plan without the change feed, a wrong key and a cursor of another database are reported', async () => {
  const { api, ...fixture } = served()
  const { key } = await fixture.json('account', 'create', '--email', 'c@example.com', '--plan', 'pro')
  const { key: free } = await fixture.json('account', 'create', '--email', 'f@example.com')
  const refusal = async (WATCHDATA_KEY: string, ...args: string[]) =>
    (await warmly(['listen', '--url', api, ...args], { WATCHDATA_KEY })).stderr
  expect(await refusal(free)).toContain('The plan of this key has no change feed')
  expect(await refusal('wd_live_wrong')).toContain('does not know this key')
  expect(await refusal(key, '--since', '00000000-1')).toMatch(
    /cannot go on from 00000000-1: The since is of another life/,
  )
})
