// Tests `watchdata sync` as a customer runs it, against the real service: whatever happens to the catalogue, the copy is
// the list of the API.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { type Watch, Watchdata } from '../../sdk/src/index.ts'
import { issueKey } from '../../src/access/keys/keys.ts'
import { type PlanServer, startPlanServer } from '../api/plan-server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import {
  changeAtRandom,
  copyOf,
  formats,
  listOf,
  makeFolder,
  makeTarget,
  type Target,
  untilServed,
} from './syncing.ts'
import { startWarmly, warmly } from './warm-command.ts'

type Plan = 'free' | 'pro' | 'platinum'

const sqlite = createEngine()
const clock = manualClock()

/** Copies are made on two plans, then the catalogue changes: a test takes the copies, each in a folder of its own. */
const served = share(async () => {
  const server = await startPlanServer(sqlite, { LOG_LEVEL: 'silent' })
  const { database, accounts, keys, baseUrl } = server
  const api = `${baseUrl}/api/v1`
  const { key: testKey } = await database.write((tx) =>
    issueKey(tx, clock, accounts.platinum, { name: 'test', isTest: true }),
  )
  const before = await listOf(api, keys.free)
  const exported = { pro: await exportWith(server, 'pro'), platinum: await exportWith(server, 'platinum') }
  await changeAtRandom(database, clock, before)
  // The sample that test keys read is opened meanwhile.
  const opened = new Watchdata({ baseUrl: api, apiKey: testKey }).watches.list({ per_page: 1 })
  await Promise.all([untilServed(database, api, keys.free), opened])
  const after = await listOf(api, keys.free)
  return {
    database,
    keys: { ...keys, test: testKey },
    api,
    exported,
    before,
    after,
    told: told(before, after),
  }
})

async function exportWith({ baseUrl, keys }: PlanServer, plan: Plan) {
  const env = { WATCHDATA_URL: baseUrl, WATCHDATA_KEY: keys[plan] }
  const targets = await Promise.all(formats.map(makeTarget))
  const outputs: string[] = []
  for (const target of targets) outputs.push((await warmly(['sync', '--to', target.to], env)).stdout)
  return { targets, outputs }
}

/** What a run should tell that brings a copy from one list to another. */
function told(before: readonly Watch[], after: readonly Watch[]): string {
  const [old, now] = [before, after].map((list) => new Map(list.map((one) => [one.id, JSON.stringify(one)])))
  const changed = before.filter(({ id }) => now?.has(id) && now.get(id) !== old?.get(id))
  const [added, deleted] = [after.filter(({ id }) => !old?.has(id)), before.filter(({ id }) => !now?.has(id))]
  return `${added.length} added, ${changed.length} changed, ${deleted.length} deleted`
}

const envOf = (plan: Plan) => ({ WATCHDATA_URL: served().api, WATCHDATA_KEY: served().keys[plan] })
const sync = (target: Target, plan: Plan = 'platinum', ...args: string[]) =>
  warmly(['sync', '--to', target.to, ...args], envOf(plan))
const used = async (plan: Plan) => {
  const { api, keys } = served()
  return (await new Watchdata({ baseUrl: api, apiKey: keys[plan] }).usage()).used
}

/** A line of the last output, as in `338 exported, then 0 added, 0 changed, 0 deleted`. */
async function synced(target: Target, plan: Plan = 'platinum'): Promise<string> {
  const { code, stdout, stderr } = await sync(target, plan)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return partOf(stdout, target)
}

function partOf(stdout: string, target: Target): string {
  const [, name, part] = /^(\S+) has [\d,]+ watches, as of change [\d,]+\. (.*)\.\n$/.exec(stdout) ?? []
  expect(name).toBe(path.basename(target.file))
  return part ?? stdout
}

/** A copy of each kind, made before the changes. */
const oldCopies = (plan: 'pro' | 'platinum' = 'platinum') =>
  Promise.all(served().exported[plan].targets.map(copyOf))

/** The last outputs of a run on each target, one after the other: each would need a process of its own. */
async function syncedBoth(targets: readonly Target[], plan: Plan = 'platinum'): Promise<string[]> {
  const outputs: string[] = []
  for (const target of targets) outputs.push(await synced(target, plan))
  return outputs
}

function expectCopies(targets: readonly Target[], list: readonly Watch[]): void {
  for (const target of targets) expect(target.watches()).toEqual(list)
}

const nothing = '0 added, 0 changed, 0 deleted'

test.each([
  ['with the export', 'platinum'],
  ['page by page without it', 'pro'],
] as const)('a copy that is read %s is the list of the API, then and after any changes', async (_, plan) => {
  const { exported, before, after, told: changes } = served()
  const { targets: first, outputs } = exported[plan]
  const exportedAll = `${before.length} exported, then ${nothing}`
  expect(first.map((target, at) => partOf(outputs[at] ?? '', target))).toEqual([exportedAll, exportedAll])
  expectCopies(first, before)
  const targets = await oldCopies(plan)
  expect(changes).toMatch(/^5 added, [1-9]\d* changed, [1-3] deleted$/)
  expect(await syncedBoth(targets, plan)).toEqual([changes, changes])
  expectCopies(targets, after)
})

test('a copy is resumed at the cost of its changes, and of nothing if there are none', async () => {
  const [target] = (await oldCopies()) as [Target, Target]
  const before = await used('platinum')
  expect(await synced(target)).toBe(served().told)
  expect(await used('platinum')).toBe(before + 1)
  expect(await synced(target)).toBe(nothing)
  expect(await used('platinum')).toBe(before + 1)
})

test('changes that are applied twice make the same copy, as after a crash before the cursor was written', async () => {
  const targets = await oldCopies()
  const cursors = targets.map((target) => target.cursor())
  await syncedBoth(targets)
  targets.forEach((target, at) => {
    target.setCursor(cursors[at] ?? '')
  })
  expect(await syncedBoth(targets)).toEqual([nothing, nothing])
  expectCopies(targets, served().after)
  for (const target of targets) expect(cursors).not.toContain(target.cursor())
})

test('a copy whose cursor the service refuses is exported anew', async () => {
  const targets = await oldCopies()
  for (const target of targets) {
    target.setCursor('00000000-1-000000000000')
    const { code, stdout, stderr } = await sync(target)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\d+ exported, then 0 added/)])
    expect(stderr).toContain(
      'no longer has the changes since the cursor of this copy: exporting the catalogue anew.',
    )
  }
  expectCopies(targets, served().after)
})

test('a copy of another service, or of the sample, is not overwritten', async () => {
  const targets = await oldCopies()
  const { api, keys } = served()
  const other = api.replace('127.0.0.1', 'localhost')
  for (const target of targets) {
    const refusal = async (env: object) =>
      (await warmly(['sync', '--to', target.to], { ...envOf('platinum'), ...env })).stderr
    const sentence = `is a copy of ${api}, not of ${other}: choose another file for this one.`
    expect(await refusal({ WATCHDATA_URL: other })).toContain(sentence)
    expect(await refusal({ WATCHDATA_KEY: served().keys.test })).toContain(
      `not of the sample catalogue of ${api}: choose`,
    )
    expect(await refusal({ WATCHDATA_KEY: keys.pro })).toBe('')
  }
  expectCopies(targets, served().after)
})

test('a copy is not begun with the Free plan, or with a wrong key', async () => {
  for (const target of await Promise.all(formats.map(makeTarget))) {
    const { code, stderr } = await sync(target, 'free')
    const sentence = 'The plan of this key has no change feed, which a copy needs: Pro and Platinum have it.'
    expect([code, stderr]).toEqual([1, `watchdata: ${sentence}\n`])
    const env = { ...envOf('free'), WATCHDATA_KEY: 'wd_live_wrong' }
    expect((await warmly(['sync', '--to', target.to], env)).stderr).toContain('does not know this key')
    expect(readdirSync(path.dirname(target.file))).toEqual([])
  }
})

test('a test key copies the sample', async () => {
  const target = await makeTarget('ndjson')
  const env = { ...envOf('platinum'), WATCHDATA_KEY: served().keys.test }
  const { code, stdout } = await warmly(['sync', '--to', target.to, '--json'], env)
  const sample = new Watchdata({ baseUrl: served().api, apiKey: served().keys.test })
  const { data: list, meta } = await sample.watches.list({ after: 0, per_page: 100 })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    ...{ file: target.file, url: served().api, watches: meta.total, exported: meta.total },
    ...{ sequence: expect.any(Number), cursor: target.cursor(), added: 0, changed: 0, deleted: 0 },
  })
  expect(target.watches().slice(0, list.length)).toEqual(list)
})

test('the database has indexes, and can be read while it is written', async () => {
  const [, target] = (await oldCopies()) as [Target, Target]
  const database = new DatabaseSync(target.file, { readOnly: true })
  const schema = database.prepare('SELECT name FROM sqlite_schema ORDER BY name').all()
  expect(schema.map(({ name }) => name)).toEqual([
    ...['sync_state', 'watches', 'watches_brand', 'watches_reference_number'],
  ])
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  database.close()
})

test('a copy that follows applies a change when it happens, alone, and ends well with Ctrl-C', async () => {
  const targets = await oldCopies()
  const following = targets.map(({ to }) => startWarmly(['sync', '--to', to, '--follow'], envOf('platinum')))
  await Promise.all(
    following.map((one) => one.said(/The copy is current\. Waiting for changes; Ctrl-C ends\.\n/)),
  )
  for (const target of targets) {
    const { code, stderr } = await sync(target)
    const sentence = `Another run of watchdata sync writes to ${target.file}: wait until it ends.`
    expect([code, stderr]).toEqual([1, `watchdata: ${sentence}\n`])
  }
  const { database, api, keys, after } = served()
  const [watch] = after
  await setPrice(database, clock, watch?.id ?? 1, { retail_price_usd: 1.5, current_market_price: 2.5 })
  for (const one of following) {
    await one.said(/0 added, 1 changed, 0 deleted, as of change [\d,]+\.\n/)
    const { code, stdout } = await one.end()
    const end = /\. 5 added, \d+ changed, \d deleted\.\n$/
    expect([code, stdout]).toEqual([0, expect.stringMatching(end)])
  }
  expectCopies(targets, await listOf(api, keys.free))
  expect(await syncedBoth(targets)).toEqual([nothing, nothing])
})

test('a file or a database of something else is refused, and stays as it is', async () => {
  const folder = await makeFolder()
  const [database, text] = [path.join(folder, 'other.db'), path.join(folder, 'other.ndjson')]
  const other = new DatabaseSync(database)
  other.exec('CREATE TABLE watches (id INTEGER)')
  other.close()
  writeFileSync(text, '{"id":1}\n')
  const bytes = () => [database, text].map((file) => readFileSync(file, 'latin1'))
  const before = bytes()
  const refusal = async (to: string) => (await warmly(['sync', '--to', to], envOf('platinum'))).stderr
  expect(await refusal(`sqlite:${database}`)).toContain('other.db is a database of something else')
  expect(await refusal(`sqlite:${text}`)).toContain('with SQLite (file is not a database).')
  expect(await refusal(text)).toContain('other.ndjson is not a copy of this command')
  expect(await refusal(folder)).toContain('is not a file')
  expect(await refusal(path.join(folder, 'none', 'w.ndjson'))).toContain('There is no folder')
  expect(bytes()).toEqual(before)
  expect(readdirSync(folder).sort()).toEqual(['other.db', 'other.ndjson'])
})

test.each([
  [[], 'required option'],
  [['--to', 'sqlite:'], '--to must name a file: write it as watches.ndjson or sqlite:watches.db.'],
  [['--to', 'w', '--key', 'wd live'], 'characters that no key has'],
  [['--to', 'w', '--url', '127.0.0.1:80'], '--url 127.0.0.1:80 is no address'],
  [['--to', 'w', '--url', 'http://a:b@c'], 'must not have a user name'],
  [['--to', 'w'], 'set WATCHDATA_KEY'],
])('rejects %j as a usage error, before it sends a request', async (args, words) => {
  const { code, stderr } = await warmly(['sync', ...args])
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})
