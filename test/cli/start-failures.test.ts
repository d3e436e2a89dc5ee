// Tests failing starts: one plain sentence that names the setting to change, exit code 1, nothing half-created.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { watchdata } from './command.ts'
import type { Outcome } from './running.ts'
import { warmly } from './warm-command.ts'

const sqlite = createEngine()

describe('a failing start', () => {
  function expectOneSentence(outcome: Outcome, setting: string): void {
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).toBe('')
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1)
    expect(outcome.stderr).toContain(setting)
    expect(outcome.stderr).not.toMatch(/\bat .*:\d+/)
  }

  test('on a port in use names PORT and creates nothing', async () => {
    const port = await takePort()
    const { DATA_DIR } = await sqlite.settings()
    const dataDir = path.join(DATA_DIR, 'new')
    expectOneSentence(await watchdata(['serve'], { DATA_DIR: dataDir, PORT: String(port) }), 'set PORT')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('on an address this machine does not have names HOST', async () => {
    const { DATA_DIR } = await sqlite.settings()
    expectOneSentence(await warmly(['serve'], { DATA_DIR, HOST: '192.0.2.1', PORT: '0' }), 'set HOST')
  })

  test('with a setting that requires another names both and creates nothing', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const dataDir = path.join(DATA_DIR, 'new')
    const settings = { DATA_DIR: dataDir, PORT: '0', V1_SUNSET_AT: '2030-01-01' }
    expectOneSentence(await warmly(['serve'], settings), 'V1_SUNSET_AT needs V1_DEPRECATED_AT')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('in a directory that is not writable names DATA_DIR', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const file = path.join(DATA_DIR, 'file')
    await writeFile(file, '')
    for (const dataDir of [file, path.join(file, 'below'), '/proc/watchdata']) {
      expectOneSentence(await warmly(['serve'], { DATA_DIR: dataDir, PORT: '0' }), 'set DATA_DIR')
    }
  })

  test('with a demo key file that is not writable names DATA_DIR', async () => {
    const { DATA_DIR } = await sqlite.settings()
    await mkdir(path.join(DATA_DIR, 'demo-key', 'in-the-way'), { recursive: true })
    expectOneSentence(await warmly(['serve'], { DATA_DIR, PORT: '0', LOG_LEVEL: 'error' }), 'DATA_DIR')
  })

  test('of a command whose database or backup is missing says so and creates nothing', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const dataDir = path.join(DATA_DIR, 'new')
    const file = path.join(DATA_DIR, 'backup')
    expectOneSentence(await warmly(['backup', file], { DATA_DIR: dataDir }), 'DATA_DIR')
    expectOneSentence(await warmly(['restore', file], { DATA_DIR: dataDir }), file)
    await writeFile(file, 'not a backup')
    expectOneSentence(await warmly(['restore', file], { DATA_DIR: dataDir }), file)
    expect(existsSync(dataDir)).toBe(false)
  })

  test('on a file that is not a database names DATA_DIR and leaves the file alone', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const file = path.join(DATA_DIR, 'watchdata.sqlite')
    const novel = 'my novel, chapter one: '.repeat(100)
    await writeFile(file, novel)
    expectOneSentence(await warmly(['serve'], { DATA_DIR, PORT: '0' }), 'DATA_DIR')
    expect(await readFile(file, 'utf8')).toBe(novel)
  })

  test('on a database of a newer version names the settings and changes nothing', async () => {
    const settings = { ...(await sqlite.settings()) }
    await warmly(['migrate'], settings)
    const file = path.join(settings.DATA_DIR, 'watchdata.sqlite')
    const database = new DatabaseSync(file)
    database.exec(`INSERT INTO migrations VALUES (9999, 'from_the_future', '2027-01-01T00:00:00.000Z')`)
    database.close()
    for (const args of [['serve'], ['migrate']]) {
      expectOneSentence(await warmly(args, { ...settings, PORT: '0' }), 'DATA_DIR')
    }
    const after = new DatabaseSync(file)
    expect(after.prepare('SELECT count(*) AS watches FROM watches').get()).toEqual({ watches: 0 })
    after.close()
  })

  test('with a PostgreSQL that does not respond names DATABASE_URL and hides its password', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const port = await takePort((socket) => socket.destroy())
    const DATABASE_URL = `postgres://watch:hunter2@127.0.0.1:${port}/x`
    const outcome = await warmly(['serve'], {
      DATA_DIR: path.join(DATA_DIR, 'new'),
      DATABASE_URL,
      PORT: '0',
    })
    expectOneSentence(outcome, 'DATABASE_URL')
    expect(outcome.stderr).not.toContain('hunter2')
    expect(existsSync(path.join(DATA_DIR, 'new'))).toBe(false)
  })
})

function takePort(onConnection: (socket: { destroy(): void }) => void = () => {}): Promise<number> {
  const server = createServer(onConnection)
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
