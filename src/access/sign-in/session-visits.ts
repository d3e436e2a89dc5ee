// Carries the state of one request through better-auth to the callbacks that it makes during the request.
import { AsyncLocalStorage } from 'node:async_hooks'

interface Visit {
  readonly hashed: string | undefined
  readonly afterwards: (() => void)[]
  failure?: unknown
}

export class Visits {
  readonly #current = new AsyncLocalStorage<Visit>()

  /** `hashed` is the hash of the request's new password. A noted failure is thrown whatever `work` returns. */
  async run<T>(work: () => Promise<T>, hashed?: string): Promise<T> {
    const visit: Visit = { hashed, afterwards: [] }
    const [outcome] = await Promise.allSettled([this.#current.run(visit, work)])
    if (visit.failure !== undefined) throw visit.failure
    if (outcome.status === 'rejected') throw outcome.reason
    for (const tell of visit.afterwards) tell()
    return outcome.value
  }

  /** Hash of the request's new password, if any: computed before any transaction began, because it takes long. */
  get hashed(): string | undefined {
    return this.#current.getStore()?.hashed
  }

  /** Notes a failure for `run` to throw, because better-auth treats some failures as "not signed in". */
  noteFailure(error: unknown): void {
    const visit = this.#current.getStore()
    if (visit !== undefined) visit.failure ??= error
  }

  /** Calls `tell` once the request has ended without a failure, when its writes can be read. */
  async afterwards(tell: () => void): Promise<void> {
    this.#current.getStore()?.afterwards.push(tell)
  }
}
