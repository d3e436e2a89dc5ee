// Tests `watchdata doctor`, which finds problems and says how to fix them, and the output of `migrate`.
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createEngine, describeEachEngine, describeWithRedis } from '../databases/engines.ts'
import { watchdata } from './command.ts'
import { warmly } from './warm-command.ts'

interface Finding {
  check: string
  state: string
  detail: string
  advice?: string
}

type Env = Record<string, string | undefined>

async function examine(
  env: Env,
  run = warmly,
): Promise<{ code: number | null; findings: Record<string, Finding> }> {
  const { code, stdout, stderr } = await run(['doctor', '--json'], env)
  expect(stderr).toBe('')
  const findings: Finding[] = JSON.parse(stdout)
  return { code, findings: Object.fromEntries(findings.map((finding) => [finding.check, finding])) }
}

const sqlite = createEngine()

describeEachEngine('doctor', (engine) => {
  test('reports no problem for an up-to-date database', async () => {
    const settings = { ...(await engine.settings()) }
    const migrated = await warmly(['migrate'], settings)
    expect([migrated.code, migrated.stdout]).toEqual([0, expect.stringMatching(/^Applied 0001_epoch, /)])
    const { code, findings } = await examine(settings, watchdata)
    expect(code).toBe(0)
    expect(Object.keys(findings)).toEqual([
      'runtime',
      'pages',
      'settings',
      'disk',
      'database',
      'clock',
      'redis',
    ])
    expect(new Set(Object.values(findings).map(({ state }) => state))).toEqual(new Set(['ok']))
    const again = await warmly(['migrate', '--json'], settings)
    expect(JSON.parse(again.stdout)).toEqual({ applied: [] })
  })

  test('finds a clock that runs behind the change log', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    await insertFutureChange(settings)
    const { code, findings } = await examine(settings)
    expect([code, findings.clock?.state]).toEqual([1, 'failed'])
    expect(findings.clock?.advice).toContain('NTP')
  })
})

test('gives advice about invalid settings, a missing Redis and a missing PostgreSQL', async () => {
  const { DATA_DIR } = await sqlite.settings()
  const settings = await examine({ DATA_DIR, PORT: 'x' })
  expect([settings.code, settings.findings.settings?.state]).toEqual([1, 'failed'])
  const DATABASE_URL = 'postgres://watch:hunter2@127.0.0.1:1/x'
  const { code, findings } = await examine({ DATA_DIR, DATABASE_URL, REDIS_URL: 'redis://127.0.0.1:1' })
  expect(code).toBe(1)
  expect(findings.database?.advice).toContain('DATABASE_URL')
  expect(findings.redis?.advice).toContain('REDIS_URL')
  expect(JSON.stringify(findings)).not.toContain('hunter2')
})

test('finds a damaged database file', async () => {
  const { DATA_DIR } = await sqlite.settings()
  await writeFile(path.join(DATA_DIR, 'watchdata.sqlite'), Buffer.alloc(8_192, 'x'))
  const { code, findings } = await examine({ DATA_DIR })
  expect([code, findings.database?.state]).toEqual([1, 'failed'])
})

test('finds an unusable data directory', async () => {
  const { DATA_DIR } = await sqlite.settings()
  const file = path.join(DATA_DIR, 'file')
  await writeFile(file, '')
  for (const dataDir of [file, path.join(file, 'below'), '/proc/watchdata']) {
    const { code, findings } = await examine({ DATA_DIR: dataDir })
    expect([code, findings.disk?.state]).toEqual([1, 'failed'])
    expect(findings.disk?.advice).toContain('DATA_DIR')
  }
})

test('does not wait for a Redis that does not respond', async () => {
  const { DATA_DIR } = await sqlite.settings()
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  const { code, findings } = await examine({ DATA_DIR, REDIS_URL: `redis://127.0.0.1:${port}` })
  expect([code, findings.redis?.state]).toEqual([1, 'failed'])
})

test('creates nothing where there is no data directory yet', async () => {
  const { DATA_DIR } = await sqlite.settings()
  await rm(DATA_DIR, { recursive: true })
  const { code, findings } = await examine({ DATA_DIR })
  expect([code, findings.database?.state]).toEqual([0, 'ok'])
  await expect(writeFile(path.join(DATA_DIR, 'x'), '')).rejects.toThrow('ENOENT')
})

describeWithRedis('doctor', (url) => {
  test('reports the version of Redis and its eviction policy', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const { code, findings } = await examine({ DATA_DIR, REDIS_URL: url })
    expect([code, findings.redis?.state]).toEqual([0, 'ok'])
    expect(findings.redis?.detail).toMatch(/version \d+\.\d+.*noeviction/)
  })
})

async function insertFutureChange(settings: Env): Promise<void> {
  const statements = [
    `insert into changes (sequence, type, subject_id, at, data) values (1, 'watch.created', 1, '2999-01-01T00:00:00.000Z', NULL)`,
    'UPDATE sequence SET value = 1',
  ]
  if (settings.DATABASE_URL === undefined) {
    const database = new DatabaseSync(path.join(settings.DATA_DIR ?? '', 'watchdata.sqlite'))
    for (const statement of statements) database.exec(statement)
    database.close()
    return
  }
  const { Client } = await import('pg')
  const client = new Client({ connectionString: settings.DATABASE_URL })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
