// In charge of running the command where a process of its own would show nothing more: in one that is kept, a tenth of
// the work. Signals, terminals, pipes and what runs beside one another are for `watchdata` of command.ts.
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
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
    const read = (['stdout', 'stderr'] as const).map((stream) =>
      untilMark(child[stream], asked.mark, gone.signal, (text) => {
        texts[stream] = text
      }),
    )
    child.send(asked)
    const [answers] = await Promise.all([once(child, 'message', { signal: gone.signal }), ...read])
    const [{ code, isSpent }] = answers as [Answer]
    if (isSpent) child.disconnect()
    return { code, ...texts }
  } catch (error) {
    throw new Error(`the process of the commands is gone: ${texts.stdout}${texts.stderr}`, { cause: error })
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
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8')
  kept = child
  return child
}

/** Gives what the stream has said so far, at last without the mark. */
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
