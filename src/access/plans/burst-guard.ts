// In charge of the machine, not of the plan: no account may send this process more requests a second than the setting
// says, however many its day has left. A second's worth may come at once.
import type { Clock } from '../../clock.ts'

const secondMs = 1_000
/** Accounts of the last moments; one that is forgotten begins with a full second again. */
const accountsMax = 10_000

interface Bucket {
  tokens: number
  atMs: number
}

export class BurstGuard {
  readonly #perSecond: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  /** With 0 a second it lets everything through. */
  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  admits(accountId: string): boolean {
    if (this.#perSecond === 0) return true
    const nowMs = this.#clock.nowMs()
    const bucket = this.#buckets.get(accountId) ?? this.#open(accountId, nowMs)
    const gained = (Math.max(0, nowMs - bucket.atMs) * this.#perSecond) / secondMs
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + gained)
    bucket.atMs = nowMs
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  #open(accountId: string, nowMs: number): Bucket {
    if (this.#buckets.size >= accountsMax) this.#buckets.clear()
    const bucket = { tokens: this.#perSecond, atMs: nowMs }
    this.#buckets.set(accountId, bucket)
    return bucket
  }
}
