// In charge of recognising keys quickly: what the database said of a key is believed for a moment, so that a busy
// key does not cost a query a request. The moment is shorter than the second in which a revocation must show.
import type { Clock } from '../clock.ts'
import type { Reader } from '../storage/database.ts'
import { type Caller, findCaller } from './accounts.ts'
import { keyDigest } from './api-key.ts'

const believedMs = 500
const callersMax = 10_000

interface KnownKey {
  readonly caller: Caller
  readonly untilMs: number
}

export class Callers {
  readonly #reader: Reader
  readonly #clock: Clock
  /** By digest: no key lies in memory longer than its request. */
  readonly #known = new Map<string, KnownKey>()

  constructor(reader: Reader, clock: Clock) {
    this.#reader = reader
    this.#clock = clock
  }

  /** The caller as lately known, without asking. */
  findKnown(key: string): Caller | undefined {
    return this.#find(key)?.caller
  }

  /** Until when the key is taken for good without asking; undefined when it is not known. */
  believedUntilMs(key: string): number | undefined {
    return this.#find(key)?.untilMs
  }

  isBefore(untilMs: number): boolean {
    return this.#clock.nowMs() < untilMs
  }

  async find(key: string): Promise<Caller | undefined> {
    // Before the query: what is revoked while it runs must not be believed for longer.
    const untilMs = this.#clock.nowMs() + believedMs
    const caller = await findCaller(this.#reader, this.#clock, key)
    // Only keys that are good: strangers must not be able to fill the memory, or push others out of it.
    if (caller !== undefined) {
      if (this.#known.size >= callersMax) this.#known.clear()
      this.#known.set(keyDigest(key), { caller, untilMs })
    }
    return caller
  }

  #find(key: string): KnownKey | undefined {
    const digest = keyDigest(key)
    const known = this.#known.get(digest)
    if (known === undefined || this.isBefore(known.untilMs)) return known
    this.#known.delete(digest)
    return undefined
  }
}
