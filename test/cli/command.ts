// In charge of running the command as an operator does: bin/watchdata, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { endLater } from '../lifetime.ts'

export const root = path.resolve(import.meta.dirname, '../..')
export const command = path.join(root, 'bin/watchdata')
/** What bin/watchdata gives to Node. */
export const nodeFlags = ['--max-semi-space-size=8', '--no-parallel-scavenge']
export const nodeEnv = { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/watchdata') }

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface ServeReport {
  readonly api: string
  readonly docs: string
  readonly dashboard: string
  readonly demo_key: string
  readonly watches: number
}

export interface Serving extends ServeReport {
  /** Ends it with a signal and tells how it ended. */
  end(signal: NodeJS.Signals): Promise<Outcome>
}

export type Env = Record<string, string | undefined>

export async function watchdata(args: readonly string[], env: Env = {}, cwd = root): Promise<Outcome> {
  return ended(spawnProgram(command, args, env, cwd))
}

/**
 * `watchdata serve --json`, once it is ready. As bin/watchdata runs it, without its look at the pages first: those are
 * built before the tests.
 */
export async function serve(env: Env): Promise<Serving> {
  const args = [...nodeFlags, path.join(root, 'src/cli/main.js'), 'serve', '--json']
  const child = spawnProgram(process.execPath, args, { ...nodeEnv, PORT: '0', DRAIN_MS: '0', ...env }, root)
  const outcome = ended(child)
  const report = await Promise.race([readyReport(child), outcome.then(failedToServe)])
  return {
    ...report,
    end(signal) {
      child.kill(signal)
      return outcome
    },
  }
}

function spawnProgram(program: string, args: readonly string[], env: Env, cwd: string): ChildProcess {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env } })
  endLater(() => void child.kill('SIGKILL'))
  return child
}

async function ended(child: ChildProcess): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (piece) => {
      texts[stream] += piece
    })
  }
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

function readyReport(child: ChildProcess): Promise<ServeReport> {
  const { promise, resolve } = Promise.withResolvers<ServeReport>()
  let text = ''
  child.stdout?.on('data', (piece: string) => {
    text += piece
    const line = text.split('\n').find((one) => one.includes('"demo_key"') || one.includes('"dashboard"'))
    if (line !== undefined && text.endsWith('\n')) resolve(JSON.parse(line))
  })
  return promise
}

function failedToServe({ code, stdout, stderr }: Outcome): never {
  throw new Error(`serve ended with ${code} before it was ready: ${stdout}${stderr}`)
}
