// Starts the bare server as a process. One process serves all workloads in turn, as the service does: a new one would be
// slower than the service for its first seconds, until its code is compiled.
import { fileURLToPath } from 'node:url'
import { applyLoad } from './load.ts'
import type { Prepared } from './prepare-workloads.ts'
import { BenchProcess } from './processes.ts'

const bareServer = fileURLToPath(new URL('../baselines/bare-server.ts', import.meta.url))
/** Longer than the longest run. */
const lifeMaxMs = 25 * 3_600_000

export class BareServing {
  readonly url: string
  readonly process: BenchProcess
  readonly #prepared: readonly Prepared[]
  #replayed = 0

  private constructor(url: string, process: BenchProcess, prepared: readonly Prepared[]) {
    this.url = url
    this.process = process
    this.#prepared = prepared
  }

  /** `prepared` in the order in which they are replayed. */
  static async start(prepared: readonly Prepared[], warmUpSeconds: number): Promise<BareServing> {
    const recordings = prepared.map(({ recording }) => recording)
    const command = [process.execPath, bareServer, ...recordings]
    const server = new BenchProcess(command, { core: 'server', maxMs: lifeMaxMs })
    try {
      const url = await server.line(/^http/)
      const requestsFile = prepared[0]?.requestsFile ?? ''
      if (warmUpSeconds > 0)
        await applyLoad({ url, server, requestsFile, seconds: warmUpSeconds, skipped: 0 })
      return new BareServing(url, server, prepared)
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  /** Goes on until it replays the responses of that workload. */
  async replay(one: Prepared): Promise<void> {
    while (this.#prepared[this.#replayed] !== one) {
      this.#replayed++
      this.process.signal('SIGUSR2')
      await this.process.line(new RegExp(`^recording ${this.#replayed}$`))
    }
  }
}
