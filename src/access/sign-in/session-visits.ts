// In charge of what has to be known of one request wherever better-auth calls back in the middle of it.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Visit {
  readonly hashed: string | undefined
  readonly afterwards: (() => void)[]
  failure?: unknown
}

export class Visits {
  readonly #current = new AsyncLocalStorage<Visit>()

  /** `hashed` is what the new password in the request becomes. A failure that was noted is thrown in any case. */
  async run<T>(work: () => Promise<T>, hashed?: string): Promise<T> {
    const visit: Visit = { hashed, afterwards: [] }
    const [outcome] = await Promise.allSettled([this.#current.run(visit, work)])
    if (visit.failure !== undefined) throw visit.failure
    if (outcome.status === 'rejected') throw outcome.reason
    for (const tell of visit.afterwards) tell()
    return outcome.value
  }

  /** Of the new password, where the request brings one: made before any transaction began, because it takes long. */
  get hashed(): string | undefined {
    return this.#current.getStore()?.hashed
  }

  /** better-auth takes some failures for "not signed in". */
  noteFailure(error: unknown): void {
    const visit = this.#current.getStore()
    if (visit !== undefined) visit.failure ??= error
  }

  /** Once the request is over and has not failed, when what it wrote is there to be read. */
  async afterwards(tell: () => void): Promise<void> {
    this.#current.getStore()?.afterwards.push(tell)
  }
}
