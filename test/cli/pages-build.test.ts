// Tests that the pages are up to date wherever the package is installed: built if missing or outdated, otherwise left
// alone. Without the pages the service does not start.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { endLater, share } from '../lifetime.ts'
import { type Env, root } from './command.ts'
import type { Outcome } from './running.ts'

const parts = ['bin', 'catalogue', 'docs', 'migrations', 'scripts', 'src', 'web']
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts']
const runMaxMs = 120_000

/** Copies the package, with its built pages, to another directory. */
async function install(): Promise<string> {
  const place = await mkdtemp(path.join(tmpdir(), 'watchdata-package-'))
  endLater(() => rm(place, { recursive: true }))
  for (const name of [...parts, ...files]) {
    await cp(path.join(root, name), path.join(place, name), { recursive: true, verbatimSymlinks: true })
  }
  await symlink(path.join(root, 'node_modules'), path.join(place, 'node_modules'))
  return place
}

function run(place: string, file: string, args: readonly string[], env: Env = {}): Promise<Outcome> {
  const DATA_DIR = path.join(place, 'data')
  // A compile cache of its own: no later run finds the package at this path, and the common cache would grow for ever.
  const NODE_COMPILE_CACHE = path.join(place, 'code')
  const options = {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR, NODE_COMPILE_CACHE, ...env },
    timeout: runMaxMs,
  }
  return new Promise((resolve) => {
    const child = execFile(file, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
    // The report means that the service is ready; nothing more is needed.
    child.stdout?.on('data', (text: string) => text.includes('"dashboard"') && child.kill('SIGTERM'))
  })
}

async function serve(place: string): Promise<Outcome> {
  const env = { SAMPLE_CATALOGUE: 'false', DRAIN_MS: '0', LOG_LEVEL: 'error' }
  return run(place, path.join(place, 'bin/watchdata'), ['serve', '--json'], env)
}

async function buildOf(place: string): Promise<Record<string, number>> {
  const names = await readdir(path.join(place, 'web/build'))
  const times = names.map(async (name): Promise<[string, number]> => {
    return [name, (await stat(path.join(place, 'web/build', name))).mtimeMs]
  })
  return Object.fromEntries(await Promise.all(times))
}

/** One package for all tests, whose pages the second test removes and the third builds: each copy would be compiled anew. */
const installed = share(install)

test('pages that are already built are served as they are, wherever they were built', async () => {
  const place = installed()
  const before = await buildOf(place)
  expect(await serve(place)).toMatchObject({ code: 0, stderr: '' })
  expect(await buildOf(place)).toEqual(before)
})

test('a start without the pages says how to build them and leaves nothing behind', async () => {
  const place = installed()
  for (const name of ['web/build', 'data']) await rm(path.join(place, name), { recursive: true })
  const main = path.join(place, 'src/cli/main.js')
  const { code, stdout, stderr } = await run(place, process.execPath, [main, 'serve'])
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([
    1,
    '',
    [expect.stringContaining(`run npm run build in ${place}`)],
  ])
  expect(existsSync(path.join(place, 'data'))).toBe(false)
  const doctor = await run(place, process.execPath, [main, 'doctor', '--json'])
  const findings: { check: string; state: string; advice: string }[] = JSON.parse(doctor.stdout)
  expect([doctor.code, findings.find(({ check }) => check === 'pages')]).toEqual([
    1,
    expect.objectContaining({ state: 'failed', advice: expect.stringContaining('npm run build') }),
  ])
})

test('the command builds missing pages, and rebuilds pages whose sources have changed', async () => {
  const place = installed()
  expect(await serve(place)).toMatchObject({ code: 0, stderr: '' })
  const first = await buildOf(place)
  await appendFile(path.join(place, 'web/style/style.css'), '\n.of-a-newer-version { color: red }\n')
  expect(await serve(place)).toMatchObject({ code: 0, stderr: '' })
  const second = await buildOf(place)
  const style = Object.keys(second).find((name) => name.endsWith('.css') && !(name in first)) ?? ''
  expect(await readFile(path.join(place, 'web/build', style), 'utf8')).toContain('of-a-newer-version')
})
