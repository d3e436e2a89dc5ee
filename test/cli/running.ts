// Represents a running command: its output so far and its outcome.
import type { ChildProcess } from 'node:child_process'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly outcome: Promise<Outcome>
  /** Resolves once stdout and stderr together match the pattern. */
  said(pattern: RegExp): Promise<string>
  /** Sends a signal and returns the outcome. */
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
    // A caller that ignores the outcome should not get an unhandled rejection.
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

/** The settings of a service started by a test. */
export const servingEnv = { PORT: '0', DRAIN_MS: '0' }

/** Waits until `serve --json` is ready. */
export async function ready(running: Running): Promise<Serving> {
  const [report = ''] = /^.*"dashboard".*$/m.exec(await running.said(/"dashboard".*\n/)) ?? []
  return { ...(JSON.parse(report) as ServeReport), ...running }
}
