// In charge of recognising keys quickly: what the database said of a key is believed for a moment, so that a busy
// key does not cost a query a request. The moment is shorter than the second in which a revocation must show.
import type { Clock } from '../../clock.ts'
import type { Reader } from '../../storage/database.ts'
import { keyDigest } from './api-key.ts'
import { type Caller, findCaller } from './keys.ts'

const cachedMs = 500
/** From this age on a key that is used is asked for again, so that a busy one never has to wait. */
const freshMs = 250
/** For how long at most a connection goes by what it knows of its key. */
const connectionMs = freshMs / 2
const callersMax = 10_000

interface KnownKey {
  readonly caller: Caller
  readonly askedMs: number
}

/** Who is asking, and until when that is taken for good without asking again. */
export interface CachedCaller {
  readonly caller: Caller
  readonly untilMs: number
}

export class KeyCache {
  readonly #reader: Reader
  readonly #clock: Clock
  /** By digest: no key lies in memory longer than its request. */
  readonly #known = new Map<string, KnownKey>()
  readonly #asking = new Map<string, Promise<Caller | undefined>>()
  /** How often something had to be forgotten. */
  #forgotten = 0
  /** What a connection believes until then, or less long, it has to look up again. */
  #distrustedUntilMs = 0
  /** When each key was used last, for those whose use is not written down yet. */
  #uses = new Map<string, number>()

  constructor(reader: Reader, clock: Clock) {
    this.#reader = reader
    this.#clock = clock
  }

  /** The caller as lately known, without asking. */
  findKnown(key: string): Caller | undefined {
    return this.#find(key)?.caller
  }

  /** The same, and until when it need not be looked up. */
  findCached(key: string): CachedCaller | undefined {
    const known = this.#find(key)
    if (known === undefined) return undefined
    const untilMs = Math.min(known.askedMs + cachedMs, this.#clock.nowMs() + connectionMs)
    return { caller: known.caller, untilMs }
  }

  /** Which keys were used since this was last asked, and when. */
  takeUses(): ReadonlyMap<string, number> {
    const uses = this.#uses
    this.#uses = new Map()
    return uses
  }

  /** Whether what is believed until then still is. */
  isBefore(untilMs: number): boolean {
    return this.#clock.nowMs() < untilMs && untilMs > this.#distrustedUntilMs
  }

  /** The account's plan has changed, or it is gone: in this process it shows with the next request. */
  forget(accountId: string): void {
    this.#forgotten++
    // Questions under way may have been answered before the change.
    this.#asking.clear()
    for (const [digest, { caller }] of this.#known) {
      if (caller.accountId === accountId) this.#known.delete(digest)
    }
    this.#distrustedUntilMs = this.#clock.nowMs() + connectionMs
  }

  /** Asks the database, once for all who want to know at the same time. */
  find(key: string): Promise<Caller | undefined> {
    const digest = keyDigest(key)
    const asking = this.#asking.get(digest) ?? this.#ask(key, digest)
    this.#asking.set(digest, asking)
    return asking
  }

  async #ask(key: string, digest: string): Promise<Caller | undefined> {
    // Before the query: what is revoked while it runs must not be believed for longer.
    const askedMs = this.#clock.nowMs()
    const forgotten = this.#forgotten
    try {
      const caller = await findCaller(this.#reader, this.#clock, key)
      this.#known.delete(digest)
      // Only keys that are good: strangers must not be able to fill the memory, or push others out of it.
      if (caller !== undefined && forgotten === this.#forgotten) {
        if (this.#known.size >= callersMax) this.#known.clear()
        this.#known.set(digest, { caller, askedMs })
        this.#uses.set(caller.keyId, askedMs)
      }
      return caller
    } finally {
      this.#asking.delete(digest)
    }
  }

  #find(key: string): KnownKey | undefined {
    const digest = keyDigest(key)
    const known = this.#known.get(digest)
    if (known === undefined) return undefined
    const ageMs = this.#clock.nowMs() - known.askedMs
    if (ageMs >= cachedMs) {
      this.#known.delete(digest)
      return undefined
    }
    this.#uses.set(known.caller.keyId, this.#clock.nowMs())
    // In the background; a database that does not answer is found out by who has to wait for it.
    if (ageMs >= freshMs) this.find(key).catch(() => {})
    return known
  }
}
