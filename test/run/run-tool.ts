// Runs one tool of the tests with the Node binary of this process and returns its exit code, output and duration.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

export interface ToolResult {
  code: number
  output: string
  seconds: number
}

// Ending this process ends the whole run: the tools stop with it, and vitest stops its servers.
const stop = new AbortController()
export const stopped = stop.signal
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

/** Shows the output live if `live`, an environment, is given; otherwise returns it. */
export function runTool(
  [script = '', ...args]: readonly string[],
  maxMs: number,
  live?: NodeJS.ProcessEnv,
): Promise<ToolResult> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env: { ...process.env, ...live },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
    signal: stop.signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    // A child that failed to start never emits `close`; an aborted child emits it later.
    child.on('error', (error) => child.pid === undefined && end(1, error.message))
    child.once('close', (code, signal) => end(code ?? 1, signal ? `stopped by ${signal}` : ''))

    function end(code: number, why: string): void {
      resolve({ code, output: output + why, seconds: (performance.now() - startedMs) / 1_000 })
    }
  })
}

export function sayResult(name: string, { code, seconds }: ToolResult): void {
  say(`${code === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`)
}

export function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
