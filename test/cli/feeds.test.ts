// Tests `watchdata feeds` as an operator runs it.
import { mkdir, readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { openReceiver } from '../webhooks/receivers.ts'
import { openFixture } from './cli-fixture.ts'
import { command, start } from './command.ts'
import { warmly } from './warm-command.ts'

const sqlite = createEngine()
const table = 'brand,reference,price\nRolex,1,100\nTudor,2,200\n'

test('an address is stored and shown without its secrets, and a file is fetched with them', async () => {
  const { run, json, settings, address, seen } = await openRoom()
  const added = await run('feeds', 'add', address, '--every', '6h')
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Feed 1 was added.')])
  expect((await run('feeds', 'run', '1')).stdout).toContain('2 created')
  expect(seen.authorizations).toEqual([basic, basic])

  const [feed] = await json('feeds', 'list')
  expect(feed).toMatchObject({ result: 'done', run_id: 1, url: expect.stringMatching(/\/list\.csv\?…$/) })
  const database = new DatabaseSync(path.join(settings.DATA_DIR, 'watchdata.sqlite'))
  const stored = JSON.stringify(
    ['feeds', 'runs'].map((name) => database.prepare(`select * from ${name}`).all()),
  )
  database.close()
  expect(stored).toContain('/list.csv?…')
  expect(stored).not.toMatch(/s3cret|tok123/)

  const other = await run('feeds', 'run', '1', { SESSION_SECRET: 'x'.repeat(32) })
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('was SESSION_SECRET changed?')])
})

test('an undone run is imported again, also if the file has not changed; so is one that is run by hand', async () => {
  const { run, address } = await openRoom()
  await run('feeds', 'add', address, '--every', '6h')
  expect((await run('feeds', 'run', '1', '--if-changed')).stdout).toContain('2 created')
  expect((await run('feeds', 'run', '1', '--if-changed')).stdout).toContain('the same as the last time')
  expect((await run('feeds', 'run', '1')).stdout).toContain('2 unchanged')
  await run('imports', 'undo', '1')
  expect((await run('feeds', 'run', '1', '--if-changed')).stdout).toContain('2 created')
})

test('a file of which a part was left out says so, with the reasons, and names no file that is gone', async () => {
  const { run, json, address, seen } = await openRoom()
  await run('feeds', 'add', address, '--every', '6h', '--max-errors', '1')
  seen.table = 'brand,reference,price\nRolex,1,EUR 100\n'
  const { code, stdout, stderr } = await run('feeds', 'run', '1')
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      'No price could be read: 1 cell for current_market_price stayed empty. Most often',
    ),
  ])
  expect(stdout).toContain('`watchdata imports show 1` shows')
  expect(stdout + stderr).not.toContain('rejected.ndjson')
  expect((await json('imports', 'show', '1')).cell_reasons).toMatchObject([{ column: 'price', count: 1 }])
  expect((await run('imports', 'show', '1')).stdout).toContain('1 × price: is EUR: say --rate EUR=…')
  expect(await json('feeds', 'list')).toMatchObject([{ result: 'faulty', run_id: 1 }])

  seen.table = 'brand,reference\nRolex,\n'
  const failed = await run('feeds', 'run', '1')
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The only row was rejected.')])
  expect(await json('feeds', 'list')).toMatchObject([{ result: 'failed', run_id: 2 }])

  seen.table = 'brand,reference\nRolex,\nTudor,\n'
  const stopped = await run('feeds', 'run', '1')
  expect(stopped.stderr).toContain('Stopped, because more than 1 row could not be imported. Most often: ')
  expect(await json('feeds', 'list')).toMatchObject([{ result: 'failed', run_id: 3 }])
})

test('a feed prunes only if that was confirmed when it was added', async () => {
  const { run, address, json, seen } = await openRoom()
  const refused = await run('feeds', 'add', address, '--every', '6h', '--prune')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('say --yes as well')])
  expect((await run('feeds', 'add', address, '--every', '6h', '--prune', '--yes')).code).toBe(0)
  expect(await json('feeds', 'list')).toMatchObject([{ options: { prune: true } }])
  await run('feeds', 'run', '1')
  seen.table = 'brand,reference\nRolex,1\nTudor,\n'
  await run('feeds', 'run', '1')
  const message = expect.stringMatching(/^Nothing is pruned: 1 row was rejected/)
  expect(await json('feeds', 'list')).toMatchObject([{ result: 'faulty', run_id: 2, message }])
  seen.table = 'brand,reference\nRolex,1\n'
  expect((await run('feeds', 'run', '1')).stdout).toContain('1 watch that no file has deleted')
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a download that %s interrupts leaves nothing behind',
  async (signal) => {
    const { settings, address, seen } = await openRoom()
    const TMPDIR = path.join(settings.DATA_DIR, 'temporary')
    await mkdir(TMPDIR)
    const asked = Promise.withResolvers<void>()
    seen.answer = (_, response) => {
      response.write(table)
      asked.resolve()
    }
    const importing = start(command, ['import', address], { ...settings, TMPDIR })
    await asked.promise
    expect(await readdir(TMPDIR)).toHaveLength(1)
    expect(await importing.end(signal)).toMatchObject({ code: signal === 'SIGTERM' ? 143 : 130 })
    expect(await readdir(TMPDIR)).toEqual([])
  },
)

const basic = `Basic ${Buffer.from('dealer:s3cret').toString('base64')}`

async function openRoom() {
  const fixture = await openFixture(sqlite)
  const settings = { ...fixture.settings, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDR: '127.0.0.0/8' }
  const seen = { authorizations: [] as unknown[], table, answer: undefined as RequestListener | undefined }
  const whole: RequestListener = ({ headers }, response) => {
    seen.authorizations.push(headers.authorization)
    const isSame = headers['if-none-match'] === '"1"'
    response.writeHead(isSame ? 304 : 200, { etag: '"1"' }).end(isSame ? undefined : seen.table)
  }
  const { port } = await openReceiver((request, response) => (seen.answer ?? whole)(request, response))
  type Given = string | Readonly<Record<string, string>>
  const run = (...given: Given[]) => {
    const args = given.filter((one) => typeof one === 'string')
    return warmly(args, Object.assign({}, settings, ...given.filter((one) => typeof one !== 'string')))
  }
  return {
    settings,
    seen,
    address: `http://dealer:s3cret@127.0.0.1:${port}/list.csv?token=tok123`,
    run,
    async json(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, '--json')
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    },
  }
}
