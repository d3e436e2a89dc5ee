// Runs the command as an operator does: bin/watchdata, in a child process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { compileCache } from '../compile-cache.ts'
import { endLater } from '../lifetime.ts'
import { type Outcome, type Running, Texts } from './running.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const command = path.join(root, 'bin/watchdata')
/** The flags that bin/watchdata passes to Node. */
export const nodeFlags = [
  '--max-semi-space-size=8',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  '--heap-growing-percent=15',
  '--no-memory-reducer',
]

export type Env = Record<string, string | undefined>

export async function watchdata(args: readonly string[], env: Env = {}, cwd = root): Promise<Outcome> {
  return start(command, args, env, cwd).outcome
}

export function start(program: string, args: readonly string[], env: Env, cwd = root): Running {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...compileCache, ...env } })
  endLater(() => void child.kill('SIGKILL'))
  const texts = new Texts()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (piece) => texts.set(stream, texts[stream] + piece))
  }
  return texts.runningIn(
    child,
    once(child, 'close').then(([code]) => code),
  )
}
