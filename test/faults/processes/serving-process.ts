// Runs one `watchdata serve` as a child process for drills: waits until it is ready, kills or stops it, and kills it
// when this process ends.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Environment } from '../../../src/config.ts'
import { compileCache } from '../../compile-cache.ts'

const command = path.resolve(import.meta.dirname, '../../../bin/watchdata')
const complaintMaxChars = 2_000
/** Under npm, `serve` ends when its parent is gone; the lifecycle variable enables that here too. */
const own = { PORT: '0', DRAIN_MS: '0', LOG_LEVEL: 'error', npm_lifecycle_event: 'drill' }

export class ServingProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #closed: Promise<unknown>
  #complaint = ''
  /** Set once it is ready. */
  url = ''

  constructor(settings: Environment) {
    this.#child = spawn(command, ['serve', '--json'], {
      // No other variables: the operator's own DATABASE_URL must not reach the process.
      env: { ...own, ...compileCache, PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintMaxChars)
    })
    process.prependListener('exit', this.#killNow)
    this.#closed = once(this.#child, 'close').then(() => process.off('exit', this.#killNow))
  }

  async ready(): Promise<this> {
    const { promise, resolve } = Promise.withResolvers<string>()
    let text = ''
    this.#child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (text.includes('\n')) resolve(text)
    })
    const ended = this.#closed.then(() => {
      throw new Error(`serve ended before it was ready: ${this.#complaint}`)
    })
    const { api } = JSON.parse(await Promise.race([promise, ended])) as { api: string }
    this.url = new URL(api).origin
    return this
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The last lines that it wrote to stderr. */
  get complaint(): string {
    return this.#complaint
  }

  async kill(): Promise<void> {
    this.#killNow()
    await this.#closed
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#closed
    if (this.#child.exitCode !== 0) throw new Error(`serve ended with an error: ${this.#complaint}`)
  }

  readonly #killNow = (): void => {
    this.#child.kill('SIGKILL')
  }
}

export async function startServing(count: number, settings: Environment): Promise<ServingProcess[]> {
  // In sequence: the first one loads the sample.
  const all: ServingProcess[] = []
  for (let at = 0; at < count; at++) all.push(await new ServingProcess(settings).ready())
  return all
}
