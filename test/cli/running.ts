// In charge of a command that runs: what it has said so far, and how it ends.
import type { ChildProcess } from 'node:child_process'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly outcome: Promise<Outcome>
  /** Resolves once stdout and stderr together have it. */
  said(pattern: RegExp): Promise<string>
  /** Ends it with a signal and tells how it ended. */
  end(signal?: NodeJS.Signals): Promise<Outcome>
}

export class Texts {
  stdout = ''
  stderr = ''
  readonly #waiting = new Set<() => void>()

  set(stream: 'stdout' | 'stderr', text: string): void {
    this[stream] = text
    for (const look of this.#waiting) look()
  }

  runningIn(child: ChildProcess, ended: Promise<number | null>): Running {
    const outcome = ended.then((code) => ({ code, stdout: this.stdout, stderr: this.stderr }))
    // Whoever does not ask how it ended need not hear that it was killed.
    outcome.catch(() => {})
    const end = (signal: NodeJS.Signals = 'SIGINT') => {
      child.kill(signal)
      return outcome
    }
    return { outcome, end, said: (pattern) => this.#until(pattern, outcome) }
  }

  #until(pattern: RegExp, outcome: Promise<Outcome>): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const look = () => {
      const all = this.stderr + this.stdout
      if (pattern.test(all)) resolve(all)
    }
    this.#waiting.add(look)
    look()
    const fail = () => reject(new Error(`ended without ${pattern}: ${this.stderr}${this.stdout}`))
    outcome.then(fail, fail)
    return promise.finally(() => this.#waiting.delete(look))
  }
}

interface ServeReport {
  readonly api: string
  readonly docs: string
  readonly dashboard: string
  readonly demo_key: string
  readonly watches: number
}

export interface Serving extends ServeReport, Running {}

/** Those with which a test serves. */
export const servingEnv = { PORT: '0', DRAIN_MS: '0' }

/** `serve --json`, once it is ready. */
export async function ready(running: Running): Promise<Serving> {
  const [report = ''] = /^.*"dashboard".*$/m.exec(await running.said(/"dashboard".*\n/)) ?? []
  return { ...(JSON.parse(report) as ServeReport), ...running }
}
