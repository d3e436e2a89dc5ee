// Tests `watchdata sync` as a customer runs it, against the real service: whatever happens to the catalogue, the copy is
// the list of the API.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Watchdata } from '../../sdk/src/index.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openServedFixture } from './sample-fixture.ts'
import { formats, listOf, makeFolder, makeTarget, type Target, untilServed } from './syncing.ts'
import { startWarmly, warmly } from './warm-command.ts'

const sqlite = createEngine()
const served = share(async () => {
  const fixture = await openServedFixture(sqlite)
  const keyOf = async (plan: string) =>
    (await fixture.json('account', 'create', '--email', `${plan}@example.com`, '--plan', plan)).key
  return {
    ...fixture,
    keys: { free: await keyOf('free'), pro: await keyOf('pro'), platinum: await keyOf('platinum') },
  }
})

type Plan = 'free' | 'pro' | 'platinum'
const envOf = (plan: Plan) => ({ WATCHDATA_URL: served().api, WATCHDATA_KEY: served().keys[plan] })
const sync = (target: Target, plan: Plan = 'platinum', ...args: string[]) =>
  warmly(['sync', '--to', target.to, ...args], envOf(plan))
const listed = () => listOf(served().api, served().keys.platinum)
const client = (plan: Plan) => new Watchdata({ baseUrl: served().api, apiKey: served().keys[plan] })
const used = async (plan: Plan) => (await client(plan).usage()).used
const published = () => {
  const { api, keys, settings } = served()
  return untilServed(api, keys.platinum, settings.DATA_DIR)
}

/** A line of the last output, as in `338 exported, then 0 added, 0 changed, 0 deleted`. */
async function synced(target: Target, plan: Plan = 'platinum'): Promise<string> {
  const { code, stdout, stderr } = await sync(target, plan)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  const [, name, told] = /^(\S+) has [\d,]+ watches, as of change [\d,]+\. (.*)\.\n$/.exec(stdout) ?? []
  expect(name).toBe(path.basename(target.file))
  return told ?? stdout
}

let imports = 0

/** Adds and changes watches at random, deletes some, and renames a brand. */
async function changeAtRandom(): Promise<void> {
  const fixture = served()
  const all = await listed()
  const any = () => all[Math.floor(Math.random() * all.length)] ?? all[0]
  const rows = Array.from({ length: 20 }, () => {
    const { brand = '', reference_number = '' } = any() ?? {}
    return { brand, reference_number, current_market_price: Math.ceil(Math.random() * 90_000) }
  }).filter(({ reference_number: reference }) => reference !== '')
  const added = Array.from({ length: 5 }, (_, at) => ({
    ...{
      brand: `Newcomer ${imports}`,
      reference_number: `N-${imports}-${at}`,
      collection: 'Ünï\u2028code “”',
    },
    specs: { jewels: at, dial_color: 'Black', nested: [{ deep: 0.1 + at }], '10': 1, '2': 'number-like key' },
  }))
  const file = path.join(await makeFolder(), 'import.ndjson')
  writeFileSync(file, [...rows, ...added].map((row) => JSON.stringify(row)).join('\n'))
  imports++
  await fixture.run('import', file)
  await fixture.json('watch', 'delete', String(any()?.id), '--yes')
  const { brand } = any() ?? { brand: '' }
  await fixture.json('brand', 'edit', brand, '--name', `${brand} ${imports}`)
  await published()
}

const bothTargets = () => Promise.all(formats.map(makeTarget))
/** The last outputs of a run on each target. */
const syncedBoth = (targets: readonly Target[], plan: Plan = 'platinum') =>
  Promise.all(targets.map((target) => synced(target, plan)))

async function expectCopies(targets: readonly Target[]): Promise<void> {
  const list = await listed()
  for (const target of targets) expect(target.watches()).toEqual(list)
}

const exported = expect.stringMatching(/^\d+ exported, then 0 added, 0 changed, 0 deleted$/)
const nothing = '0 added, 0 changed, 0 deleted'

test('a copy is exactly the list of the API, after an export and after any changes', async () => {
  const targets = await bothTargets()
  expect(await syncedBoth(targets)).toEqual([exported, exported])
  await expectCopies(targets)
  await changeAtRandom()
  const [inFile, inDatabase] = await syncedBoth(targets)
  expect(inFile).toMatch(/^5 added, \d+ changed, [01] deleted$/)
  expect(inDatabase).toBe(inFile)
  await expectCopies(targets)
})

test('a copy is resumed at the cost of its changes, and of nothing if there are none', async () => {
  const [target] = (await bothTargets()) as [Target, Target]
  await synced(target)
  const before = await used('platinum')
  expect(await synced(target)).toBe(nothing)
  expect(await used('platinum')).toBe(before)
  await served().json('watch', 'edit', '20', '--set', 'collection=Changed')
  await published()
  const usedBefore = await used('platinum')
  expect(await synced(target)).toBe('0 added, 1 changed, 0 deleted')
  expect(await used('platinum')).toBe(usedBefore + 1)
})

test('changes that are applied twice make the same copy, as after a crash before the cursor was written', async () => {
  const targets = await bothTargets()
  await syncedBoth(targets)
  const cursors = targets.map((target) => target.cursor())
  await changeAtRandom()
  await syncedBoth(targets)
  targets.forEach((target, at) => {
    target.setCursor(cursors[at] ?? '')
  })
  expect(await syncedBoth(targets)).toEqual([nothing, nothing])
  await expectCopies(targets)
  for (const target of targets) expect(cursors).not.toContain(target.cursor())
})

test('without the export a copy is read page by page, and follows the changes as any other', async () => {
  const targets = await bothTargets()
  expect(await syncedBoth(targets, 'pro')).toEqual([exported, exported])
  await expectCopies(targets)
  await changeAtRandom()
  await syncedBoth(targets, 'pro')
  await expectCopies(targets)
})

test('a copy whose cursor the service refuses is exported anew', async () => {
  const targets = await bothTargets()
  await syncedBoth(targets)
  for (const target of targets) target.setCursor('00000000-1-000000000000')
  await served().json('watch', 'delete', '30', '--yes')
  await published()
  for (const target of targets) {
    const { code, stdout, stderr } = await sync(target)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\d+ exported, then 0 added/)])
    expect(stderr).toContain(
      'no longer has the changes since the cursor of this copy: exporting the catalogue anew.',
    )
  }
  await expectCopies(targets)
})

test('a copy that follows applies a change when it happens, alone, and ends well with Ctrl-C', async () => {
  const targets = await bothTargets()
  const following = targets.map(({ to }) => startWarmly(['sync', '--to', to, '--follow'], envOf('platinum')))
  await Promise.all(
    following.map((one) => one.said(/The copy is current\. Waiting for changes; Ctrl-C ends\.\n/)),
  )
  for (const target of targets) {
    const { code, stderr } = await sync(target)
    const sentence = `Another run of watchdata sync writes to ${target.file}: wait until it ends.`
    expect([code, stderr]).toEqual([1, `watchdata: ${sentence}\n`])
  }
  await served().json('watch', 'edit', '21', '--set', 'collection=Followed')
  for (const one of following) {
    await one.said(/0 added, 1 changed, 0 deleted, as of change [\d,]+\.\n/)
    const { code, stdout } = await one.end()
    const end = /\d exported, then 0 added, 1 changed, 0 deleted\.\n$/
    expect([code, stdout]).toEqual([0, expect.stringMatching(end)])
  }
  await expectCopies(targets)
  expect(await syncedBoth(targets)).toEqual([nothing, nothing])
})

test('a copy of another service, or of the sample, is not overwritten', async () => {
  const targets = await bothTargets()
  await syncedBoth(targets)
  const { api, keys } = served()
  const other = api.replace('127.0.0.1', 'localhost')
  const { key } = await served().json('key', 'create', 'platinum@example.com', '--test')
  for (const target of targets) {
    const refusal = async (env: object) =>
      (await warmly(['sync', '--to', target.to], { ...envOf('platinum'), ...env })).stderr
    const sentence = `is a copy of ${api}, not of ${other}: choose another file for this one.`
    expect(await refusal({ WATCHDATA_URL: other })).toContain(sentence)
    expect(await refusal({ WATCHDATA_KEY: key })).toContain(`not of the sample catalogue of ${api}: choose`)
    expect(await refusal({ WATCHDATA_KEY: keys.pro })).toBe('')
  }
  await expectCopies(targets)
})

test('a copy is not begun with the Free plan, or with a wrong key', async () => {
  for (const target of await bothTargets()) {
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
  const { key } = await served().json('key', 'create', 'platinum@example.com', '--test')
  const env = { ...envOf('platinum'), WATCHDATA_KEY: key }
  const { code, stdout } = await warmly(['sync', '--to', target.to, '--json'], env)
  const sample = new Watchdata({ baseUrl: served().api, apiKey: key })
  const { data: list, meta } = await sample.watches.list({ after: 0, per_page: 100 })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    ...{ file: target.file, url: served().api, watches: meta.total, exported: meta.total },
    ...{ sequence: expect.any(Number), cursor: target.cursor(), added: 0, changed: 0, deleted: 0 },
  })
  expect(target.watches().slice(0, list.length)).toEqual(list)
})

test('the database has indexes, and can be read while it is written', async () => {
  const target = await makeTarget('sqlite')
  await synced(target)
  const database = new DatabaseSync(target.file, { readOnly: true })
  const schema = database.prepare('SELECT name FROM sqlite_schema ORDER BY name').all()
  expect(schema.map(({ name }) => name)).toEqual([
    ...['sync_state', 'watches', 'watches_brand', 'watches_reference_number'],
  ])
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  database.close()
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
