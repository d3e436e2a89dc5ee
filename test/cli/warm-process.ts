// In charge of running commands one after the other in a process that has the service loaded already. To each of them it
// is as a process of its own: arguments, settings, directory and exit code are its own, what it writes goes through the
// real streams, and it has ended when nothing that it began is under way any more.
import { getPriority, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { run } from '../../src/cli/program.js'

export interface Call {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Written to both streams when the command has ended. */
  readonly mark: string
}

export interface Answer {
  readonly code: number
  /** It cannot be to the next command what a new process would be. */
  readonly isSpent: boolean
}

const endMaxMs = 10_000
const lookMs = 1
/** What commands listen to until the end of their process. */
const listenedTo = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection'] as const
const priority = getPriority()
/** As long as a shutdown may take: it is cut by a timer that only the end of its process stops. */
const lastingMs = 20_000
const lasting: NodeJS.Timeout[] = []
const begin = globalThis.setTimeout
globalThis.setTimeout = Object.defineProperties((...args: Parameters<typeof begin>) => {
  const timer = begin(...args)
  if ((args[1] ?? 0) >= lastingMs) lasting.push(timer)
  return timer
}, Object.getOwnPropertyDescriptors(begin)) as typeof begin

// Opened before the first look at what is open.
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
  for (const timer of lasting.splice(0)) clearTimeout(timer)
  for (const event of listenedTo) process.removeAllListeners(event)
  process.exitCode = undefined
  process.stdout.write(mark)
  process.stderr.write(mark)
  process.send?.({ code: Number(code), isSpent: !isToTheFore() } satisfies Answer)
}

/** An import stands back behind the rest of the machine; not everybody may come to the fore again. */
function isToTheFore(): boolean {
  try {
    if (getPriority() !== priority) setPriority(priority)
    return true
  } catch {
    return false
  }
}

/** A process ends when nothing keeps it; a command that leaves something open would not. */
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
