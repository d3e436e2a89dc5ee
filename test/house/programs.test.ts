import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBinary } from '../programs/binaries.ts'
import { findFreePort } from '../programs/free-port.ts'
import { type ServerPlan, startServer } from '../programs/server-process.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchdata-programs-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

describe('finding a binary', () => {
  it('takes the one on PATH before one in a package directory', async () => {
    const packaged = await placeBinary('lib/16/bin', 'initdb')
    const onPath = await placeBinary('bin', 'initdb')
    const directories = [join(directory, 'lib/*/bin')]
    expect(findBinary({ names: ['initdb'], directories, path: join(directory, 'bin') })).toBe(onPath)
    expect(findBinary({ names: ['initdb'], directories, path: '' })).toBe(packaged)
  })

  it('takes the highest version, compared as numbers', async () => {
    await placeBinary('lib/9/bin', 'initdb')
    const newest = await placeBinary('lib/15/bin', 'initdb')
    expect(findBinary({ names: ['initdb'], directories: [join(directory, 'lib/*/bin')], path: '' })).toBe(
      newest,
    )
  })

  it('skips what cannot be executed, and returns undefined if nothing remains', async () => {
    await chmod(await placeBinary('bin', 'chromium'), 0o644)
    await mkdir(join(directory, 'bin', 'google-chrome'))
    const path = join(directory, 'bin')
    expect(findBinary({ names: ['chromium', 'google-chrome'], path })).toBeUndefined()
  })
})

describe('a throw-away server', () => {
  it('restarts on its port after a kill, and leaves nothing behind after a stop', async () => {
    const { plan, port } = await planListener()
    const server = await startServer(plan)
    const firstPid = server.pid
    await server.kill()
    expect(await accepts(port)).toBe(false)
    await server.restart()
    expect(await accepts(port)).toBe(true)
    expect(server.pid).not.toBe(firstPid)
    await server.stop()
    expect(await accepts(port)).toBe(false)
    expect(existsSync(plan.directory)).toBe(false)
  })

  it('that fails to start reports the last line of its log', async () => {
    const { plan } = await planListener()
    const broken = { ...plan, args: ['-e', 'console.error("no room on the disk"); process.exit(3)'] }
    await expect(startServer(broken)).rejects.toThrow('ended at once: no room on the disk')
    expect(existsSync(plan.directory)).toBe(false)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends when its parent is ended by %s', async (signal) => {
    const { plan, port } = await planListener()
    const parent = await startParent(plan)
    expect(await accepts(port)).toBe(true)
    parent.kill(signal)
    await once(parent, 'exit')
    await expect.poll(() => accepts(port)).toBe(false)
    await expect.poll(() => existsSync(plan.directory)).toBe(false)
  })
})

async function placeBinary(folder: string, name: string): Promise<string> {
  const path = join(directory, folder, name)
  await mkdir(join(directory, folder), { recursive: true })
  await writeFile(path, '#!/bin/sh\n', { mode: 0o755 })
  return path
}

async function planListener(): Promise<{ plan: ServerPlan; port: number }> {
  const port = await findFreePort()
  const serverDirectory = join(directory, 'server')
  await mkdir(serverDirectory)
  const script = `require('node:net').createServer().listen(${port}, '127.0.0.1')`
  const plan: ServerPlan = {
    path: process.execPath,
    args: ['-e', script],
    directory: serverDirectory,
    stopSignal: 'SIGTERM',
    answers: () => accepts(port),
  }
  return { plan, port }
}

/** Another Node process that starts the planned server and then waits to be ended. */
async function startParent(plan: ServerPlan) {
  const ready = join(directory, 'ready')
  const source = new URL('../programs/server-process.ts', import.meta.url).href
  const script = `
    import { startServer } from ${JSON.stringify(source)}
    import { writeFileSync } from 'node:fs'
    const plan = ${JSON.stringify(plan)}
    const answers = async () => true
    await startServer({ ...plan, answers })
    writeFileSync(${JSON.stringify(ready)}, 'ready')
    setInterval(() => {}, 60_000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  await expect.poll(() => readFile(ready, 'utf8').catch(() => '')).toBe('ready')
  await expect.poll(() => plan.answers()).toBe(true)
  return parent
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
