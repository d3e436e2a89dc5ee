// Runs commands in sequence in a process that already has the service loaded. Each command sees its own arguments,
// settings, directory and exit code, writes to the real streams, and has ended once nothing it started is still
// active.
import { getPriority, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { run } from '../../src/cli/program.js'
import { keepCompiled } from '../compile-cache.ts'

export interface Call {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Written to both streams after the command has ended. */
  readonly mark: string
}

export interface Answer {
  readonly code: number
  /** True if the process cannot run another command as a new process would. */
  readonly isSpent: boolean
}

const endMaxMs = 10_000
const lookMs = 1
/** Events that commands listen to until their process ends. */
const listenedTo = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const
const priority = getPriority()
/** Timers at least this long limit a shutdown; normally only the end of the process stops them. */
const lastingMs = 20_000
const lasting: NodeJS.Timeout[] = []
const begin = globalThis.setTimeout
globalThis.setTimeout = Object.defineProperties((...args: Parameters<typeof begin>) => {
  const timer = begin(...args)
  if ((args[1] ?? 0) >= lastingMs) lasting.push(timer)
  return timer
}, Object.getOwnPropertyDescriptors(begin)) as typeof begin

// Open the streams before the first count of open resources.
for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on('error', () => {})
process.on('message', (call: Call) => void answer(call))

async function answer({ args, env, cwd, mark }: Call): Promise<void> {
  await delay(lookMs)
  const openBefore = process.getActiveResourcesInfo()
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
  process.exitCode = undefined
  process.argv = [process.execPath, 'watchdata', ...args]
  const code = await run(process.argv)
  await untilClosed(openBefore.length, args)
  keepOnce()
  for (const timer of lasting.splice(0)) clearTimeout(timer)
  for (const event of listenedTo) process.removeAllListeners(event)
  process.exitCode = undefined
  process.stdout.write(mark)
  process.stderr.write(mark)
  process.send?.({ code: Number(code), isSpent: !isToTheFore() } satisfies Answer)
}

let isKept = false

/** After the first command, when what most commands need is loaded. */
function keepOnce(): void {
  if (isKept) return
  isKept = true
  keepCompiled()
}

/** Restores the priority that an import lowered. Returns false if this user may not raise it again. */
function isToTheFore(): boolean {
  try {
    if (getPriority() !== priority) setPriority(priority)
    return true
  } catch {
    return false
  }
}

/** Waits until the command's resources are closed: a process with open resources would not end. */
async function untilClosed(count: number, args: readonly string[]): Promise<void> {
  const untilMs = performance.now() + endMaxMs
  for (;;) {
    await delay(lookMs)
    const open = process.getActiveResourcesInfo()
    if (open.length <= count) return
    if (performance.now() < untilMs) continue
    process.stderr.write(`watchdata ${args.join(' ')} does not end: ${open.join(', ')} is open\n`)
    process.exit(1)
  }
}
