// Follows the change log: hands out every change in order, and waits for the next ones at no cost.
import type { Change, ChangeList, Webhook } from './api-types.ts'
import type { CallOptions } from './options.ts'
import { pause, retryDelayMs } from './retry.ts'
import type { Transport } from './transport.ts'

/** A type of change, all types of a kind (`watch.*`), or all (`*`). */
export type ChangeSelector = Webhook['events'][number]

export interface FollowQuery {
  /** Where to start: the cursor of an export or of this feed, the `sequence` of a change, or `now`. */
  since: string | number
  /** Only changes of these types. */
  types?: readonly ChangeSelector[] | undefined
  /** How long one request waits for a change: 0 to 10 seconds, 10 by default. */
  waitSeconds?: number | undefined
  /** Ends the feed, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined
}

const waitDefaultSeconds = 10
const changesMax = 500
/** Where the service has nothing new and does not wait, it is asked no more often than that. */
const emptyPauseMs = 1_000

export class ChangeFeed implements AsyncIterable<Change> {
  readonly #transport: Transport
  readonly #query: FollowQuery
  readonly #options: CallOptions
  #cursor: string
  /** Until the first response, an error is more likely a wrong setting than an interruption: it is thrown. */
  #hasBegun = false

  constructor(transport: Transport, query: FollowQuery, options: CallOptions = {}) {
    if (query.since === undefined) throw new TypeError('since must be a cursor, a sequence or "now"')
    this.#transport = transport
    this.#query = query
    this.#options = { ...options, signal: query.signal ?? options.signal }
    this.#cursor = String(query.since)
  }

  /**
   * Store it, and follow from it after a restart. The changes up to it have all been handed out, and the next one asked for.
   * It moves once for each response, so after a restart some changes may come a second time; none is missed.
   */
  get cursor(): string {
    return this.#cursor
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    for (;;) {
      const startedMs = performance.now()
      const list = await this.#nextInTime()
      for (const change of list?.data ?? []) yield change
      const reached = list?.meta.next_cursor ?? this.#cursor
      const isNew = reached !== this.#cursor
      this.#cursor = reached
      if (!isNew) await pause(startedMs + emptyPauseMs - performance.now(), this.#options.signal)
    }
  }

  /** Goes on after errors that pass, for as long as it takes. */
  async #nextInTime(): Promise<ChangeList | undefined> {
    for (let failures = 0; ; failures += 1) {
      try {
        const list = await this.#next()
        this.#hasBegun = true
        return list
      } catch (error) {
        const delayMs = this.#hasBegun ? retryDelayMs(error, failures) : undefined
        if (delayMs === undefined) throw error
        await pause(delayMs, this.#options.signal)
      }
    }
  }

  /** The changes after the cursor; undefined where there are none. With the cursor as ETag, that costs nothing. */
  async #next(): Promise<ChangeList | undefined> {
    const { types, waitSeconds = waitDefaultSeconds } = this.#query
    const since = this.#cursor
    // A stopped program could not go on from "now": the cursor of that moment is fetched first.
    const wait = since === 'now' ? 0 : waitSeconds
    const query = { since, limit: changesMax, wait, types }
    const sent = { path: ['changes'], query, ifNoneMatch: `"${since}"`, waitMs: wait * 1_000 }
    const { response, text } = await this.#transport.send(sent, this.#options)
    return response.status === 304 ? undefined : JSON.parse(text)
  }
}
