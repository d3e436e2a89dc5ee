// Caches the caller of each API key for 500 ms, so that a busy key does not cost a query per request. That is shorter
// than the second within which a revocation must take effect. While the database is away nothing can be revoked, and the
// keys that were valid before stay valid for a minute.
import type { Clock } from '../../clock.ts'
import { AskTogether } from '../../storage/ask-together.ts'
import type { Counter } from '../../storage/counter/counter.ts'
import type { Database } from '../../storage/database.ts'
import { isUnreachable } from '../../storage/unreachable.ts'
import { type Caller, type FoundCaller, findCallers } from './keys.ts'

export { isWellFormedKey, keyDigest } from './api-key.ts'

const cachedMs = 500
/** From this age on a key in use is refreshed in the background, so that requests of a busy key never wait. */
const freshMs = 250
/** How long at most a connection uses its cached caller before it checks this cache again. */
const connectionMs = freshMs / 2
/** A database that takes longer than that to look up a key is away. */
const patienceMs = 400
/** How long a key stays valid without the database, from its last look-up. */
const awayMaxMs = 60_000
/** A failed look-up says for this long that the database is away. After that, a request waits for a look-up again. */
const failedMaxMs = 1_000
const callersMax = 50_000

interface KnownKey extends Pick<FoundCaller, 'caller' | 'endsMs'> {
  readonly askedMs: number
}

/** A caller, and until when a connection may use it without another lookup. */
export interface CachedCaller {
  readonly caller: Caller
  readonly untilMs: number
}

/** Keys are given as their digests, so that no key stays in memory longer than its request. */
export class KeyCache {
  readonly #clock: Clock
  readonly #looking: AskTogether<string, FoundCaller | undefined>
  /** Outdated entries stay until the next look-up. */
  readonly #known = new Map<string, KnownKey>()
  readonly #asking = new Map<string, Promise<Caller | undefined>>()
  /** How often `forget` was called: a lookup that began before the last call is not cached. */
  #forgotten = 0
  /** Entries of connections that expire at or before this time are stale. */
  #distrustedUntilMs = 0
  /** When each key was last used, for uses that are not in the database yet. */
  #uses = new Map<string, number>()
  /** When a look-up last got no result. */
  #failedMs = Number.NEGATIVE_INFINITY

  constructor(database: Pick<Database, 'reader' | 'engine'>, clock: Clock, counter?: Pick<Counter, 'learn'>) {
    this.#clock = clock
    const lookUp = async (digests: readonly string[]) => {
      const found = await findCallers(database, clock, digests)
      for (const one of found) if (one !== undefined) counter?.learn(one.caller.accountId, one.total)
      return found
    }
    this.#looking = new AskTogether(lookUp, (digest) => digest)
  }

  /** The cached caller, without a query, and the time until which a connection need not look it up again. */
  findCached(digest: string): CachedCaller | undefined {
    const known = this.#find(digest)
    if (known === undefined) return undefined
    const shortlyMs = this.#clock.nowMs() + connectionMs
    const untilMs = this.#isAway ? shortlyMs : Math.min(known.askedMs + cachedMs, shortlyMs)
    return { caller: known.caller, untilMs }
  }

  /** Whether the key was valid when it was last looked up, however long ago. */
  isFamiliar(digest: string): boolean {
    return this.#known.has(digest)
  }

  /** The keys used since the previous call, and when each was last used. */
  takeUses(): ReadonlyMap<string, number> {
    const uses = this.#uses
    this.#uses = new Map()
    return uses
  }

  /** Whether a connection's entry that expires at `untilMs` is still valid. */
  isBefore(untilMs: number): boolean {
    return this.#clock.nowMs() < untilMs && untilMs > this.#distrustedUntilMs
  }

  /** Drops an account whose plan has changed or which was deleted: this process sees that with the next request. */
  forget(accountId: string): void {
    this.#forgotten++
    // Lookups in flight may have read the state before the change.
    this.#asking.clear()
    for (const [digest, { caller }] of this.#known) {
      if (caller.accountId === accountId) this.#known.delete(digest)
    }
    this.#distrustedUntilMs = this.#clock.nowMs() + connectionMs
  }

  /**
   * Queries the database, once for all concurrent callers with the same key. Where the database is away, the result is
   * that of an earlier query, or the promise is rejected.
   */
  find(digest: string): Promise<Caller | undefined> {
    const asking = this.#asking.get(digest) ?? this.#ask(digest)
    this.#asking.set(digest, asking)
    return asking
  }

  #ask(digest: string): Promise<Caller | undefined> {
    const known = this.#known.get(digest)
    const asked = this.#lookUp(digest)
    return known !== undefined && this.#isUsable(known) ? this.#inTime(digest, known.caller, asked) : asked
  }

  async #lookUp(digest: string): Promise<Caller | undefined> {
    // Taken before the query: a key revoked while it runs must not be cached for longer.
    const askedMs = this.#clock.nowMs()
    const forgotten = this.#forgotten
    try {
      const found = await this.#looking.ask(digest)
      this.#failedMs = Number.NEGATIVE_INFINITY
      this.#known.delete(digest)
      // Only valid keys: unauthenticated callers must not be able to fill the memory or evict other keys.
      if (found !== undefined && forgotten === this.#forgotten) this.#keep(digest, found, askedMs)
      return found?.caller
    } catch (error) {
      if (isUnreachable(error)) this.#failedMs = this.#clock.nowMs()
      throw error
    } finally {
      this.#asking.delete(digest)
    }
  }

  #keep(digest: string, { caller, endsMs }: FoundCaller, askedMs: number): void {
    if (this.#known.size >= callersMax) {
      const [oldest = ''] = this.#known.keys()
      this.#known.delete(oldest)
    }
    this.#known.set(digest, { caller, endsMs, askedMs })
    this.#uses.set(caller.keyId, askedMs)
  }

  /** Returns the caller as known before if the database does not answer in time; its answer still counts later. */
  async #inTime(
    digest: string,
    known: Caller,
    asked: Promise<Caller | undefined>,
  ): Promise<Caller | undefined> {
    const { promise: late, resolve } = Promise.withResolvers<Caller>()
    const timer = setTimeout(() => {
      this.#failedMs = this.#clock.nowMs()
      resolve(known)
    }, patienceMs)
    try {
      return await Promise.race([asked, late])
    } catch (error) {
      if (isUnreachable(error)) return known
      throw error
    } finally {
      clearTimeout(timer)
      this.#asking.delete(digest)
      asked.catch(() => {})
    }
  }

  #find(digest: string): KnownKey | undefined {
    const known = this.#known.get(digest)
    if (known === undefined || !this.#isUsable(known)) return undefined
    const ageMs = this.#clock.nowMs() - known.askedMs
    if (ageMs >= cachedMs && !this.#isAway) return undefined
    this.#uses.set(known.caller.keyId, this.#clock.nowMs())
    // In the background. Errors are dropped here: a request that has to wait for its own lookup gets them.
    if (ageMs >= freshMs) this.find(digest).catch(() => {})
    return known
  }

  get #isAway(): boolean {
    return this.#clock.nowMs() - this.#failedMs < failedMaxMs
  }

  /** Whether the key may be used without the database. */
  #isUsable({ askedMs, endsMs }: KnownKey): boolean {
    const nowMs = this.#clock.nowMs()
    return nowMs < endsMs && nowMs - askedMs < awayMaxMs
  }
}
