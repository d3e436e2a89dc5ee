// Runs one `watchdata serve` of the cluster on a port of its own, as in production, and starts it again on the same
// port after it was stopped or killed.
import type { Environment } from '../../../../src/config.ts'
import { ServingProcess } from '../../processes/serving-process.ts'
import type { Course } from '../fault.ts'

const startsMax = 3

export class ClusterProcess {
  readonly port: number
  readonly url: string
  readonly #settings: Environment
  #process: ServingProcess | undefined

  constructor(port: number, settings: Environment) {
    this.port = port
    this.url = `http://127.0.0.1:${port}`
    // No time for draining is set: the default must do.
    this.#settings = { DRAIN_MS: '', ...settings, PORT: String(port) }
  }

  /** False if it has ended, and nobody ended it. */
  get isRunning(): boolean {
    return this.#process?.isRunning === true
  }

  get complaint(): string {
    return this.#process?.complaint ?? ''
  }

  /** Returns when it is ready. Tries again if it ends, as a supervisor does: several start at once, on few cores. */
  async start(): Promise<void> {
    for (let left = startsMax - 1; ; left--) {
      this.#process = new ServingProcess(this.#settings)
      try {
        await this.#process.ready()
        return
      } catch (error) {
        if (left === 0) throw error
      }
    }
  }

  /** Sends SIGTERM, waits for the exit and starts it again. Returns when it is ready. */
  async restart(note: Course['note']): Promise<void> {
    note('stopping')
    await this.#process?.stop()
    await this.#startAgain(note)
  }

  /** Sends SIGKILL and starts it again at once. Returns when it is ready. */
  async killAndStart(note: Course['note']): Promise<void> {
    const killed = this.#process?.kill()
    note('killed')
    await killed
    await this.#startAgain(note)
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    await this.#process?.kill()
  }

  async #startAgain(note: Course['note']): Promise<void> {
    note('starting')
    await this.start()
    note('ready')
  }
}
