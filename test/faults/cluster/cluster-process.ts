// Runs one `watchdata serve` of the cluster on a port of its own, as in production, and starts it again on the same
// port after it was stopped or killed.
import type { Environment } from '../../../src/config.ts'
import { ServingProcess } from '../processes/serving-process.ts'
import type { Course } from './fault.ts'

export class ClusterProcess {
  readonly url: string
  readonly #settings: Environment
  #process: ServingProcess

  constructor(port: number, settings: Environment) {
    this.url = `http://127.0.0.1:${port}`
    // No time for draining is set: the default must do.
    this.#settings = { DRAIN_MS: '', ...settings, PORT: String(port) }
    this.#process = new ServingProcess(this.#settings)
  }

  /** False if it has ended, and nobody ended it. */
  get isRunning(): boolean {
    return this.#process.isRunning
  }

  get complaint(): string {
    return this.#process.complaint
  }

  async ready(): Promise<void> {
    await this.#process.ready()
  }

  /** Sends SIGTERM, waits for the exit and starts it again. Returns when it is ready. */
  async restart(note: Course['note']): Promise<void> {
    note('stopping')
    await this.#process.stop()
    await this.#startAgain(note)
  }

  /** Sends SIGKILL and starts it again at once. Returns when it is ready. */
  async killAndStart(note: Course['note']): Promise<void> {
    const killed = this.#process.kill()
    note('killed')
    await killed
    await this.#startAgain(note)
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    await this.#process.kill()
  }

  async #startAgain(note: Course['note']): Promise<void> {
    note('starting')
    this.#process = new ServingProcess(this.#settings)
    await this.#process.ready()
    note('ready')
  }
}
