// Tests the docs pages about webhooks and syncing: their tables match the code, their example is what arrives, and
// their programs work against a real service.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { eventSelectors, eventTypes, testEvent } from '../../src/webhooks/event-types.ts'
import { retryDelaysMs } from '../../src/webhooks/retry-schedule.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { findFreePort } from '../programs/free-port.ts'
import { root } from './command.ts'
import { openReceiver } from './listening.ts'
import { openServedFixture } from './sample-fixture.ts'
import { startWarmly } from './warm-command.ts'

const read = (docPage: string) => readFile(path.join(root, 'docs', docPage), 'utf8')
const [webhooks, changes] = await Promise.all([read('webhooks.md'), read('changes.md')])
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Returns the code block after a marker in the docs page. */
function block(docPage: string, mark: string): string {
  const [, code] = new RegExp(`<!-- ${mark} -->\n\`\`\`\\w+\n(.*?)\`\`\``, 's').exec(docPage) ?? []
  if (code === undefined) throw new Error(`the docs page has no ${mark}`)
  return code
}

/** Returns the cells of the table whose first heading is given. */
function rows(heading: string): string[][] {
  const lines = webhooks.slice(webhooks.indexOf(`| ${heading} |`)).split('\n')
  return lines.slice(2, lines.indexOf('')).map((line) => line.slice(2, -2).split(' | '))
}

test('the tables of the docs page match the code', () => {
  expect(rows('event').map(([type]) => type)).toEqual([...eventTypes, testEvent].map((type) => `\`${type}\``))
  for (const selector of eventSelectors) expect(webhooks).toContain(`\`${selector}\``)
  const unitsMs: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 }
  const delays = rows('attempt').map(([, after = '']) => {
    const [number, unit = ''] = after.split(' ')
    return Number(number) * (unitsMs[unit] ?? 0)
  })
  expect(delays).toEqual([...retryDelaysMs])
  expect(rows('attempt').map(([number]) => Number(number))).toEqual(retryDelaysMs.map((_, at) => at + 2))
})

/** Runs a program of the docs page as a reader would. */
function run(
  code: string,
  env: Record<string, string>,
  stderr: 'inherit' | 'pipe' | 'ignore' = 'inherit',
  command: readonly string[] = [process.execPath, '--input-type=module-typescript', '-e'],
): ChildProcess & { said(words: string): Promise<void> } {
  const [program = '', ...flags] = command
  const child = spawn(program, [...flags, code], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', stderr],
  }) as ChildProcess & { stdout: Readable }
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    told += piece
  })
  const said = async (words: string) => {
    while (!told.includes(words)) await new Promise((resolve) => child.stdout.once('data', resolve))
  }
  return Object.assign(child, { said })
}

const sqlite = createEngine()
const served = share(() => openServedFixture(sqlite))

/** Creates a customer who has used nothing of the plan's quota. */
async function signUp(plan: string, { api, ...fixture } = served()) {
  const email = `${randomUUID()}@example.com`
  const { key }: { key: string } = await fixture.json('account', 'create', '--email', email, '--plan', plan)
  return { api, fixture, key }
}

async function untilAnswered(url: string): Promise<void> {
  while ((await fetch(url, { method: 'POST' }).catch(() => undefined)) === undefined);
}

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('skipped: the receiver in Python, because python3 is missing\n')
const receivers = [
  ['TypeScript', 'sample: node', undefined, 12_101],
  ...(hasPython ? ([['Python', 'sample: python', ['python3', '-c'], 12_102]] as const) : []),
] as const

test.each(receivers)(
  'the receiver of the docs page in %s accepts only requests with a valid signature',
  async (...sample) => {
    const [, mark, command, price] = sample
    const { fixture, key, api } = await signUp('pro')
    const port = await findFreePort()
    const env = { WEBHOOK_SECRET: secret, PORT: String(port) }
    const receiver = run(block(webhooks, mark), env, 'ignore', command)
    const url = `http://127.0.0.1:${port}/events`
    await untilAnswered(url)
    const listening = startWarmly(['listen', '--url', api, '--forward-to', url, '--secret', secret], {
      WATCHDATA_KEY: key,
    })
    await listening.said(/Listening/)
    await fixture.json('watch', 'edit', '124060', '--set', `current_market_price=${price}`)
    await receiver.said('watch.price_changed 242')
    await listening.said(/→ 204/)
    const post = async (sentAt: Date, signed: string, body: string) => {
      const headers = signatureHeaders('evt_1', sentAt, signed, [secret])
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    const body = '{"type":"webhook.test","data":{}}'
    expect(await post(new Date(), body, body)).toBe(204)
    expect(await post(new Date(), body, 'something else')).toBe(400)
    expect(await post(new Date('2020-01-01T00:00:00Z'), body, body)).toBe(400)
  },
)

test('the example of the docs page is what arrives', async () => {
  // The example shows the sequence of the first change to the sample.
  const { fixture, key, api } = await signUp('pro', await openServedFixture(sqlite))
  const receiver = await openReceiver()
  const listening = startWarmly(['listen', '--url', api, '--forward-to', receiver.url], {
    WATCHDATA_KEY: key,
  })
  await listening.said(/Listening/)
  const example = JSON.parse(block(webhooks, 'event'))
  const { new: price } = example.data.changes.current_market_price
  await fixture.json('watch', 'edit', String(example.data.watch_id), '--set', `current_market_price=${price}`)
  const [first] = await receiver.first(1)
  const arrived = JSON.parse(first?.body ?? '')
  const { specs } = arrived.data.watch
  expect(specs).toMatchObject(example.data.watch.specs)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(arrived).toEqual({
    ...example,
    timestamp: time,
    data: { ...example.data, watch: { ...example.data.watch, specs, updated_at: time } },
  })
  expect(Object.keys(arrived.data)).toEqual(Object.keys(example.data))
})

test.each([
  ['pro', 12_103, '1', '2', 'Rolex', 'ROLEX'],
  ['platinum', 12_104, '3', '4', 'Omega', 'OMEGA'],
] as const)(
  'the sync program of the docs page keeps an exact copy on %s, also after being killed',
  async (plan, price, gone, goneUnseen, brand, name) => {
    const { fixture, key, api } = await signUp(plan)
    const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-copy-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const COPY = path.join(directory, 'copy.json')
    const env = { WATCHDATA_URL: new URL(api).origin, WATCHDATA_KEY: key, COPY }
    const first = run(block(changes, 'sample: sync'), env)
    await untilSame(COPY, api, key)
    await fixture.json('watch', 'edit', '124060', '--set', `current_market_price=${price}`)
    await fixture.json('watch', 'delete', gone, '--yes')
    await untilSame(COPY, api, key, String(price))
    first.kill('SIGKILL')
    await fixture.json('brand', 'edit', brand, '--name', name)
    await fixture.json('watch', 'delete', goneUnseen, '--yes')
    run(block(changes, 'sample: sync'), env)
    await untilSame(COPY, api, key, `"brand":"${name}"`)
  },
)

test('the sync program of the docs page says which variables it needs', async () => {
  const child = run(block(changes, 'sample: sync'), { WATCHDATA_KEY: 'wd_live_x' }, 'pipe')
  const [[code], said] = await Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  expect([code, said]).toEqual([1, expect.stringContaining('Set WATCHDATA_URL')])
})

/**
 * Waits until the copy contains `news` and exactly the watches that the service lists. The test's timeout is the
 * limit.
 */
async function untilSame(file: string, api: string, key: string, news = ''): Promise<void> {
  const written = watch(path.dirname(file))
  onTestFinished(() => written.close())
  for (;;) {
    const next = once(written, 'change')
    const copy = JSON.stringify(await readCopy(file))
    if (copy === JSON.stringify(await listAll(api, key)) && copy.includes(news)) return
    await next
  }
}

async function readCopy(file: string): Promise<unknown> {
  const copy = await readFile(file, 'utf8').then(JSON.parse, () => undefined)
  return copy?.watches.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)
}

async function listAll(api: string, key: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${key}` }
  const watches: unknown[] = []
  for (let page = 1; ; page++) {
    const answer = await fetch(`${api}/watches?per_page=100&page=${page}`, { headers })
    const { data } = (await answer.json()) as { data: unknown[] }
    if (data.length === 0) return watches
    watches.push(...data)
  }
}
