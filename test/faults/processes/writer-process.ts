// In charge of one crash-writer.ts as a child process: what it has said, and its end by our hand, with ours or
// by itself.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../src/config.ts'
import type { Said } from '../write-loop.ts'

const program = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))
const stopMaxMs = 45_000
const complaintMaxChars = 2_000

export class WriterProcess {
  readonly said: Said[] = []
  acknowledged = 0
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  /** All it said has been read by then. */
  readonly #closed: Promise<unknown>
  #isClosed = false
  #unfinishedLine = ''
  #complaint = ''
  #onNews = () => {}

  constructor(settings: Environment, name: string, loops: number) {
    this.#child = spawn(process.execPath, [program, name, String(loops)], {
      // Nothing but this: a DATABASE_URL of the operator's must not reach it.
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintMaxChars)
    })
    // First of all: it writes to the directory that another listener removes.
    process.prependListener('exit', this.#killNow)
    this.#closed = once(this.#child, 'close').then(() => {
      this.#isClosed = true
      process.off('exit', this.#killNow)
      this.#onNews()
    })
  }

  /** Resolves once it has acknowledged so many writes; throws when it ends before, or takes too long. */
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

  /** Ends it by SIGKILL; throws when it had already ended by itself. */
  async kill(): Promise<void> {
    this.#killNow()
    await this.#closed
    if (this.#child.signalCode !== 'SIGKILL') throw this.#endedByItself()
  }

  /** Waits for the end it should come to by itself now that its database is gone, and else brings it about. */
  async endAfter(maxMs: number): Promise<void> {
    const timer = setTimeout(this.#killNow, maxMs)
    await this.#closed
    clearTimeout(timer)
  }

  /** Lets it finish what it has begun. */
  async stop(): Promise<void> {
    this.#child.stdin.end()
    await this.endAfter(stopMaxMs)
    if (this.#child.exitCode !== 0) throw new Error(`a writer did not end well: ${this.#complaint}`)
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
