// Imports one feed in a process of its own, for no longer than a maximum, and stops it when this process exits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A process that is told to stop may be in the middle of a long statement. It is killed after this time. */
const killMs = 60_000
const messageCharsMax = 1_000
/** Of what a process says, only the end is kept. */
const tailChars = 10_000
const command = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** Returns why the import failed, if the process could not store that itself. `signal` stops the process. */
export async function runImportProcess(
  id: number,
  env: NodeJS.ProcessEnv,
  maxMs: number,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(process.execPath, [command, 'feeds', 'run', String(id), '--if-changed', '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  })
  const stop = () => void child.kill()
  let isLate = false
  const timers = [
    setTimeout(() => {
      isLate = true
      stop()
    }, maxMs),
    setTimeout(() => child.kill('SIGKILL'), maxMs + killMs),
  ]
  // None of it may keep this process from exiting.
  for (const handle of [child, child.stderr as Socket, ...timers]) handle.unref()
  signal.addEventListener('abort', stop)
  process.once('exit', stop)
  const said = tailOf(child.stderr)
  try {
    await once(child, 'close')
    return isLate ? tooLate(maxMs) : sentenceOf(said())
  } catch (error) {
    return `The import could not be started: ${(error as Error).message}.`
  } finally {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    process.off('exit', stop)
  }
}

function tooLate(maxMs: number): string {
  const minutes = Math.max(1, Math.round(maxMs / 60_000))
  return `The import took longer than ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, and was stopped: import the file with \`watchdata import\`, or split it.`
}

function tailOf(stream: NodeJS.ReadableStream): () => string {
  let tail = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    tail = (tail + text).slice(-tailChars)
  })
  return () => tail
}

/** The last message of the command: its other lines may be those of a stack. */
function sentenceOf(said: string): string {
  const message = [...said.matchAll(/^watchdata: (.*)$/gm)].at(-1)?.[1]
  return message?.slice(0, messageCharsMax) || 'The import ended without a message.'
}
