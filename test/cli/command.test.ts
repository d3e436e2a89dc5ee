// Tests the command line itself: help, typing errors, exit codes, output streams, working directories.
import { spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settingRows } from '../../src/config.ts'
import { version } from '../../src/version.ts'
import { createEngine } from '../databases/engines.ts'
import { command, watchdata } from './command.ts'
import { warmly } from './warm-command.ts'

const engine = createEngine()
const commands = [
  ...['serve', 'migrate', 'backup', 'restore', 'import', 'import-prices', 'export', 'stats'],
  ...['usage', 'settings', 'doctor'],
]

test('help lists every command, on stdout, with exit code 0', async () => {
  const { code, stdout, stderr } = await watchdata(['--help'])
  expect([code, stderr]).toEqual([0, ''])
  for (const name of commands) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
})

test('every command has help of its own and takes --json', async () => {
  for (const name of commands) {
    const { code, stdout } = await warmly([name, '--help'])
    expect([name, code]).toEqual([name, 0])
    expect(stdout).toContain('--json')
  }
})

test('without a command the help goes to stderr, with exit code 2', async () => {
  const { code, stdout, stderr } = await watchdata([])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('Usage: watchdata')
})

test('a typing error gets a suggestion and exit code 2', async () => {
  const { code, stdout, stderr } = await watchdata(['setings'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('Did you mean settings?')
  expect((await watchdata(['settings', '--jsno'])).stderr).toContain('Did you mean --json?')
  expect((await watchdata(['backup'])).code).toBe(2)
})

test('the version is printed', async () => {
  expect(await watchdata(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('settings prints the whole table, as text and as JSON', async () => {
  const text = await watchdata(['settings'])
  for (const { env } of settingRows()) expect(text.stdout).toMatch(new RegExp(`^${env} `, 'm'))
  const data = await watchdata(['settings', '--json'])
  expect(JSON.parse(data.stdout)).toEqual(settingRows())
})

test('prints no error when the reader closes the pipe early', async () => {
  const { stderr } = spawnSync('sh', ['-c', `"${command}" settings | head -c 1`], { encoding: 'utf8' })
  expect(stderr).toBe('')
})

test('runs from any directory and through a symbolic link', async () => {
  const { DATA_DIR } = await engine.settings()
  const link = path.join(DATA_DIR, 'linked')
  await symlink(command, link)
  const direct = await watchdata(['settings', '--json'], {}, DATA_DIR)
  expect([direct.code, JSON.parse(direct.stdout)]).toEqual([0, settingRows()])
  expect(spawnSync(link, ['--version'], { cwd: '/', encoding: 'utf8' }).stdout).toBe(`${version}\n`)
})

test('all invalid settings are reported in one message, with exit code 1, and nothing is created', async () => {
  const env = { PORT: 'abc', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://root:hunter2@db/x' }
  const { code, stdout, stderr } = await watchdata(['serve'], env)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  for (const name of Object.keys(env)) expect(stderr).toContain(name)
  expect(stderr).not.toContain('hunter2')
})
