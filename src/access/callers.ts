// In charge of recognising keys quickly: what the database said of a key is believed for a moment, so that a busy
// key does not cost a query a request. The moment is shorter than the second in which a revocation must show.
import type { Clock } from '../clock.ts'
import type { Reader } from '../storage/database.ts'
import { type Caller, findCaller } from './accounts.ts'
import { keyDigest } from './api-key.ts'

const believedMs = 500
const callersMax = 10_000

export class Callers {
  readonly #reader: Reader
  readonly #clock: Clock
  /** By digest: no key lies in memory longer than its request. */
  readonly #known = new Map<string, { readonly caller: Caller; readonly untilMs: number }>()

  constructor(reader: Reader, clock: Clock) {
    this.#reader = reader
    this.#clock = clock
  }

  /** The caller as lately known, without asking. */
  findKnown(key: string): Caller | undefined {
    const digest = keyDigest(key)
    const known = this.#known.get(digest)
    if (known === undefined) return undefined
    if (this.#clock.now().getTime() < known.untilMs) return known.caller
    this.#known.delete(digest)
    return undefined
  }

  async find(key: string): Promise<Caller | undefined> {
    // Before the query: what is revoked while it runs must not be believed for longer.
    const untilMs = this.#clock.now().getTime() + believedMs
    const caller = await findCaller(this.#reader, this.#clock, key)
    // Only keys that are good: strangers must not be able to fill the memory, or push others out of it.
    if (caller !== undefined) {
      if (this.#known.size >= callersMax) this.#known.clear()
      this.#known.set(keyDigest(key), { caller, untilMs })
    }
    return caller
  }
}
