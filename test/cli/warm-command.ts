// Runs a command in a reused process where a new process would show nothing more: a tenth of the work. Terminals,
// pipes and process exit are tested with command.ts.
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { compileCache } from '../compile-cache.ts'
import { endLater } from '../lifetime.ts'
import { type Env, nodeFlags, root } from './command.ts'
import { type Outcome, type Running, ready, type Serving, servingEnv, Texts } from './running.ts'
import type { Answer, Call } from './warm-process.ts'

const endMaxMs = 5_000
/** The processes that run no command now. */
const idle: ChildProcess[] = []

/** Like `watchdata` of command.ts. */
export function warmly(args: readonly string[], env: Env = {}, cwd = root): Promise<Outcome> {
  return startWarmly(args, env, cwd).outcome
}

/** Starts `watchdata serve --json` and waits until it is ready. */
export function serveWarmly(env: Env): Promise<Serving> {
  return ready(startWarmly(['serve', '--json'], { ...servingEnv, ...env }))
}

/** Commands that run at the same time get a process each. Signals are real. */
export function startWarmly(args: readonly string[], env: Env = {}, cwd = root): Running {
  const child = idle.pop() ?? keep()
  const texts = new Texts()
  let isPending = true
  const ended = call(child, { args, env: { PATH: process.env.PATH, ...env }, cwd, mark: randomUUID() }, texts)
  const running = texts.runningIn(
    child,
    ended.finally(() => {
      isPending = false
    }),
  )
  endLater(async () => {
    if (!isPending) return
    const cut = setTimeout(() => child.kill('SIGKILL'), endMaxMs)
    await running.end('SIGTERM').catch(() => {})
    clearTimeout(cut)
  })
  return running
}

async function call(child: ChildProcess, asked: Call, texts: Texts): Promise<number> {
  const gone = new AbortController()
  const onGone = () => gone.abort()
  child.once('close', onGone)
  try {
    const read = (['stdout', 'stderr'] as const).map((stream) =>
      untilMark(child[stream], asked.mark, gone.signal, (text) => texts.set(stream, text)),
    )
    child.send(asked)
    const [answers] = await Promise.all([once(child, 'message', { signal: gone.signal }), ...read])
    const [{ code, isSpent }] = answers as [Answer]
    if (isSpent) child.disconnect()
    else idle.push(child)
    return code
  } catch (error) {
    throw new Error(`the process of the command has ended: ${texts.stdout}${texts.stderr}`, { cause: error })
  } finally {
    child.off('close', onGone)
  }
}

function keep(): ChildProcess {
  const env = { PATH: process.env.PATH, ...compileCache }
  const options = { execArgv: nodeFlags, env, stdio: 'pipe' } as const
  const child = fork(path.join(import.meta.dirname, 'warm-process.ts'), options)
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8')
  child.once('close', () => {
    if (idle.includes(child)) idle.splice(idle.indexOf(child), 1)
  })
  return child
}

/** Passes on the stream's text so far, and resolves at the mark, which is removed. */
function untilMark(
  stream: Readable | null,
  mark: string,
  signal: AbortSignal,
  give: (text: string) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  const onData = (piece: string) => {
    text += piece
    const isWhole = text.endsWith(mark)
    give(isWhole ? text.slice(0, -mark.length) : text)
    if (isWhole) resolve()
  }
  stream?.on('data', onData)
  signal.addEventListener('abort', () => reject(signal.reason))
  return promise.finally(() => stream?.off('data', onData))
}
