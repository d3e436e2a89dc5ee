// Tests `watchdata serve` as an operator runs it: the first start, the second, and the shutdown.
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { share } from '../lifetime.ts'
import { command, type Env, start } from './command.ts'
import { type Outcome, servingEnv } from './running.ts'
import { hasTerminal } from './terminal.ts'
import { serveWarmly, warmly } from './warm-command.ts'

const sqlite = createEngine()
const together = runs(2, 3)

describeEachEngine('serve', (engine) => {
  const first = share(async () => {
    const settings = { ...(await engine.settings()) }
    return { settings, ...(await serveWarmly(settings)) }
  })

  test('loads the sample into an empty database and prints a working key and URLs', async () => {
    const serving = first()
    const headers = { authorization: `Bearer ${serving.demo_key}` }
    const list = await fetch(`${serving.api}/watches?per_page=1`, { headers })
    expect(list.status).toBe(200)
    expect(await list.json()).toMatchObject({ meta: { total: serving.watches } })
    for (const url of [serving.docs, serving.dashboard]) expect((await fetch(url)).status).toBe(200)
  })

  test('shows the same catalogue and the same key at the second start', async () => {
    const settings = { ...(await engine.settings('sample')) }
    const firstKey = await readFile(path.join(settings.DATA_DIR, 'demo-key'), 'utf8')
    const second = await serveWarmly(settings)
    expect([second.demo_key, second.watches]).toEqual([firstKey.trim(), (await readSample()).watches.length])
    expect((await second.end('SIGINT')).code).toBe(0)
  })

  test('starts without the sample and without a demo key if SAMPLE_CATALOGUE is false', async () => {
    const serving = await serveWarmly({ ...(await engine.settings()), SAMPLE_CATALOGUE: 'false' })
    expect([serving.watches, serving.demo_key]).toEqual([0, undefined])
    expect((await fetch(`${serving.api}/watches`)).status).toBe(401)
    expect((await fetch(serving.dashboard)).status).toBe(200)
  })

  test(`loads the sample once when ${together} processes (at night 3) start on one empty database`, async () => {
    const settings = { ...(await engine.settings()) }
    const servers = await Promise.all(Array.from({ length: together }, () => serveWarmly(settings)))
    const counts = new Set(servers.map(({ watches }) => watches))
    expect(counts.size).toBe(1)
    for (const { api, demo_key } of servers) {
      const response = await fetch(`${api}/watches`, { headers: { authorization: `Bearer ${demo_key}` } })
      expect(response.status).toBe(200)
    }
  })

  test('a backup taken while serving, restored elsewhere, serves the same catalogue, without a demo key if SAMPLE_CATALOGUE is false', async () => {
    const { settings, ...serving } = first()
    const file = path.join(settings.DATA_DIR, 'backup')
    const backup = await warmly(['backup', file, '--json'], settings)
    expect([backup.code, JSON.parse(backup.stdout)]).toMatchObject([0, { file }])
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const elsewhere = { ...(await engine.settings()) }
    const restore = await warmly(['restore', file], elsewhere)
    expect([restore.code, restore.stderr]).toEqual([0, ''])
    // A database that has the sample shows no demo key either.
    const restored = await serveWarmly({ ...elsewhere, SAMPLE_CATALOGUE: 'false' })
    expect([restored.demo_key, restored.watches]).toEqual([undefined, serving.watches])
    // The backup contains the keys too.
    expect(await everyWatch({ ...restored, demo_key: serving.demo_key })).toEqual(await everyWatch(serving))

    const again = await warmly(['restore', file], elsewhere)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('not empty')
    expect((await restored.end('SIGTERM')).code).toBe(0)
  })
})

test('a data directory that lost its demo key gets a new one, and old ones do not accumulate', async () => {
  const settings = { ...(await sqlite.settings('sample')) }
  await rm(path.join(settings.DATA_DIR, 'demo-key'))
  await (await serveWarmly(settings)).end('SIGTERM')
  await rm(path.join(settings.DATA_DIR, 'demo-key'))
  const database = new DatabaseSync(path.join(settings.DATA_DIR, 'watchdata.sqlite'))
  expect(database.prepare('SELECT count(*) AS keys FROM api_keys').get()).toEqual({ keys: 2 })
  const filler = database.prepare(
    `INSERT INTO api_keys (id, account_id, name, digest, created_at)
     SELECT ?, account_id, 'demo', ?, '2000' FROM api_keys LIMIT 1`,
  )
  for (let key = 0; key < 20; key++) filler.run(`old-${key}`, `digest-${key}`)
  const serving = await serveWarmly(settings)
  expect(database.prepare('SELECT count(*) AS keys FROM api_keys').get()).toEqual({ keys: 10 })
  expect(await everyWatch(serving)).not.toHaveLength(0)
  database.close()
})

/** What a person sees who starts the service in a new directory. */
const byHand = share(async () => {
  const { DATA_DIR } = await sqlite.settings()
  const dataDir = path.join(DATA_DIR, 'new')
  return { dataDir, ...(await readyOf([command, 'serve'], { DATA_DIR: dataDir }, 'SIGHUP')) }
})

test('only their owner can read the data directory and its files', async () => {
  const { dataDir } = byHand()
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  for (const file of ['watchdata.sqlite', 'demo-key']) {
    expect((await stat(path.join(dataDir, file))).mode & 0o777).toBe(0o600)
  }
})

test.runIf(hasTerminal)('on a terminal the banner ends in a curl line with the demo key', async () => {
  const settings = { ...servingEnv, ...(await sqlite.settings()), PATH: process.env.PATH }
  const serving = start('/usr/bin/script', ['-qec', `${command} serve`, '/dev/null'], settings)
  await serving.said(
    /curl -H 'Authorization: Bearer wd_live_\w{36}' 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/watches/,
  )
  const { stdout } = await serving.end('SIGTERM')
  for (const word of ['API', 'Docs', 'Dashboard', 'Set up', 'Demo key']) expect(stdout).toContain(word)
})

test('without a terminal the output is JSON lines, without demo key and setup link, until SIGHUP stops the service', () => {
  const { code, stderr, stdout } = byHand()
  expect([code, stdout]).toEqual([0, expect.stringContaining('"msg":"stopped"')])
  for (const line of stdout.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  expect(stdout).toContain('watchdata account create --email EMAIL --operator')
  for (const secret of ['wd_live_', 'token=']) expect(stdout + stderr).not.toContain(secret)
})

test('npm start shuts down cleanly when npm is stopped', async () => {
  const env = { ...(await sqlite.settings()), HOME: process.env.HOME }
  const { stdout } = await readyOf(['npm', 'start'], env)
  expect(stdout).toContain('"msg":"stopped"')
})

/** Runs until the service is ready, then stops. */
async function readyOf(
  [program = '', ...args]: string[],
  env: Env,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<Outcome> {
  const serving = start(program, args, { ...servingEnv, ...env })
  await serving.said(/"msg":"ready"/)
  return serving.end(signal)
}

async function everyWatch({ api, demo_key }: { api: string; demo_key: string }): Promise<unknown[]> {
  const watches: unknown[] = []
  for (let page = 1; ; page++) {
    const response = await fetch(`${api}/watches?per_page=100&page=${page}`, {
      headers: { authorization: `Bearer ${demo_key}` },
    })
    const { data } = (await response.json()) as { data: unknown[] }
    if (data.length === 0) return watches
    watches.push(...data)
  }
}
