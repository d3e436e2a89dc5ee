// Runs a webhook sender in a child process with a simulated clock: starts it, sets its time, kills it, starts it
// again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../src/config.ts'
import { compileCache } from '../../compile-cache.ts'

const program = fileURLToPath(new URL('./sender-process.ts', import.meta.url))

export class KillableSender {
  readonly #settings: Environment
  #child: ChildProcess | undefined
  #nowMs: number

  constructor(settings: Environment, nowMs: number) {
    this.#settings = settings
    this.#nowMs = nowMs
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH, ...compileCache, LOG_LEVEL: 'error', ...this.#settings },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    process.prependListener('exit', this.#killNow)
    child.once('exit', () => process.off('exit', this.#killNow))
    this.moveTo(this.#nowMs)
    await Promise.race([once(child.stdout, 'data'), failOnExit(child)])
  }

  moveTo(nowMs: number): void {
    this.#nowMs = nowMs
    this.#child?.stdin?.write(`${nowMs}\n`)
  }

  /** Sends SIGKILL and waits for the exit. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  readonly #killNow = (): void => void this.#child?.kill('SIGKILL')
}

async function failOnExit(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`the sender ended with ${code} before it was ready`)
}
