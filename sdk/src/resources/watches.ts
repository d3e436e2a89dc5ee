// Watches: the list, one watch, and its prices.
import type { PriceHistory, Watch, WatchAnswer } from '../api-types.ts'
import { type Call, callOf } from '../call.ts'
import type { CallOptions } from '../options.ts'
import { PageCall } from '../page-call.ts'
import type { Transport } from '../transport.ts'
import type { WatchField, WatchQuery } from '../watch-query.ts'
import type { WatchPage, WatchRow } from '../watch-row.ts'

export interface PricesQuery {
  /** The first day, such as `2024-01-31`. */
  from?: string | undefined
  /** The last day, inclusive. */
  to?: string | undefined
}

export class Watches {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The watches that match all filters: `await` gives one page, `for await` the watches of all pages. */
  list<const Fields extends readonly WatchField[] | undefined = undefined>(
    query: WatchQuery<Fields> = {},
    options?: CallOptions,
  ): PageCall<WatchPage<WatchRow<Fields>>> {
    return new PageCall(this.#transport, { path: ['watches'], query, options })
  }

  get(id: number, options?: CallOptions): Call<Watch> {
    const received = this.#transport.send({ path: ['watches', id] }, options)
    return callOf(received, ({ data }: WatchAnswer) => data)
  }

  /** The price history of a watch, newest line first. */
  prices(id: number, query: PricesQuery = {}, options?: CallOptions): Call<PriceHistory> {
    const received = this.#transport.send({ path: ['watches', id, 'prices'], query }, options)
    return callOf(received, (history: PriceHistory) => history)
  }
}
