// Runs one crash-writer.ts as a child process: collects what it reports, and stops or kills it. It is also killed when
// this process ends.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../src/config.ts'
import { compileCache } from '../../compile-cache.ts'
import type { Said } from '../write-loop.ts'

const program = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))
const stopMaxMs = 45_000
const complaintMaxChars = 2_000

export class WriterProcess {
  readonly said: Said[] = []
  acknowledged = 0
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves when the process has ended and all its output has been read. */
  readonly #closed: Promise<unknown>
  #isClosed = false
  #unfinishedLine = ''
  #complaint = ''
  #onNews = () => {}

  constructor(settings: Environment, name: string, loops: number) {
    this.#child = spawn(process.execPath, [program, name, String(loops)], {
      // No other variables: the operator's own DATABASE_URL must not reach the process.
      env: { PATH: process.env.PATH, ...compileCache, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintMaxChars)
    })
    // Runs before other exit listeners: the writer uses the directory that another listener removes.
    process.prependListener('exit', this.#killNow)
    this.#closed = once(this.#child, 'close').then(() => {
      this.#isClosed = true
      process.off('exit', this.#killNow)
      this.#onNews()
    })
  }

  /** Resolves after `count` acknowledged writes; throws if the writer ends earlier or takes too long. */
  async untilAcknowledged(count: number, maxMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const late = `a writer took over ${maxMs} ms for ${count} writes`
    const timer = setTimeout(() => reject(new Error(late)), maxMs)
    this.#onNews = () => {
      if (this.acknowledged >= count) resolve()
      else if (this.#isClosed) reject(this.#endedByItself())
    }
    this.#onNews()
    await promise.finally(() => clearTimeout(timer))
  }

  /** Sends SIGKILL; throws if the writer had already ended. */
  async kill(): Promise<void> {
    this.#killNow()
    await this.#closed
    if (this.#child.signalCode !== 'SIGKILL') throw this.#endedByItself()
  }

  /** Waits for the writer to end after its database is gone, and kills it after `maxMs`. */
  async endAfter(maxMs: number): Promise<void> {
    const timer = setTimeout(this.#killNow, maxMs)
    await this.#closed
    clearTimeout(timer)
  }

  /** Lets the writer finish what it has begun. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    await this.endAfter(stopMaxMs)
    if (this.#child.exitCode !== 0) throw new Error(`a writer ended with an error: ${this.#complaint}`)
  }

  #endedByItself(): Error {
    return new Error(`a writer ended by itself: ${this.#complaint}`)
  }

  #hear(text: string): void {
    const lines = (this.#unfinishedLine + text).split('\n')
    this.#unfinishedLine = lines.pop() ?? ''
    for (const line of lines) {
      const said: Said = JSON.parse(line)
      this.said.push(said)
      if (said.did === 'done') this.acknowledged++
    }
    this.#onNews()
  }

  readonly #killNow = (): void => {
    this.#child.kill('SIGKILL')
  }
}
