// The change log: one response of it, or all changes as they happen.
import type { ChangeList } from '../api-types.ts'
import { type Call, callOf } from '../call.ts'
import { ChangeFeed, type ChangeSelector, type FollowQuery } from '../change-feed.ts'
import type { CallOptions } from '../options.ts'
import type { Transport } from '../transport.ts'

export interface ChangesQuery {
  /** A cursor, the `sequence` of a change, or `now`. Without it, the log is read from its start. */
  since?: string | number | undefined
  /** 1 to 500. The default is 100. */
  limit?: number | undefined
  types?: readonly ChangeSelector[] | undefined
  /** How many seconds to wait for a change: 0 to 10. */
  wait?: number | undefined
}

export class Changes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The next changes. Go on with `meta.next_cursor`, or let `follow` do that. */
  list(query: ChangesQuery = {}, options?: CallOptions): Call<ChangeList> {
    const waitMs = (query.wait ?? 0) * 1_000
    const received = this.#transport.send({ path: ['changes'], query, waitMs }, options)
    return callOf(received, (list: ChangeList) => list)
  }

  /** Every change from `since` on, for as long as you iterate. Waiting costs no quota. */
  follow(query: FollowQuery, options?: CallOptions): ChangeFeed {
    return new ChangeFeed(this.#transport, query, options)
  }
}
