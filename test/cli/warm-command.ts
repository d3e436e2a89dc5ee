// In charge of running the command where a process of its own would show nothing more: in one that is kept, a tenth of
// the work. Signals, terminals, pipes and what runs beside one another are for `watchdata` of command.ts.
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { endLater } from '../lifetime.ts'
import { type Env, nodeEnv, nodeFlags, type Outcome, root } from './command.ts'
import type { Answer, Call } from './warm-process.ts'

let kept: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** As `watchdata` of command.ts, in turn. */
export function warmly(args: readonly string[], env: Env = {}, cwd = root): Promise<Outcome> {
  const outcome = last.then(() =>
    call({ args, env: { PATH: process.env.PATH, ...env }, cwd, mark: randomUUID() }),
  )
  last = outcome.catch(() => {})
  return outcome
}

async function call(asked: Call): Promise<Outcome> {
  const child = keep()
  let isPending = true
  endLater(() => isPending && child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  const gone = new AbortController()
  const onGone = () => gone.abort()
  child.once('close', onGone)
  try {
    const read = (['stdout', 'stderr'] as const).map(async (stream) => {
      texts[stream] = await untilMark(child, stream, asked.mark, gone.signal)
    })
    child.send(asked)
    const [answers] = await Promise.all([once(child, 'message', { signal: gone.signal }), ...read])
    const [{ code, isSpent }] = answers as [Answer]
    if (isSpent) child.disconnect()
    return { code, ...texts }
  } finally {
    isPending = false
    child.off('close', onGone)
  }
}

function keep(): ChildProcess {
  if (kept?.connected) return kept
  const env = { PATH: process.env.PATH, ...nodeEnv }
  const options = { execArgv: nodeFlags, env, stdio: 'pipe' } as const
  const child = fork(path.join(import.meta.dirname, 'warm-process.ts'), options)
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').setMaxListeners(0)
  kept = child
  return child
}

function untilMark(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  mark: string,
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  const onData = (piece: string) => {
    text += piece
    if (text.endsWith(mark)) resolve(text.slice(0, -mark.length))
  }
  child[stream]?.on('data', onData)
  signal.addEventListener('abort', () => reject(new Error(`the process of the commands is gone: ${text}`)))
  return promise.finally(() => child[stream]?.off('data', onData))
}
