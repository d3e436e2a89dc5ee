// Brands: the list, one brand, and its watches.
import type { Brand, BrandAnswer, BrandList } from '../api-types.ts'
import { type Call, callOf } from '../call.ts'
import type { CallOptions } from '../options.ts'
import { PageCall } from '../page-call.ts'
import type { Transport } from '../transport.ts'
import type { Paging, WatchField, WatchQuery } from '../watch-query.ts'
import type { WatchPage, WatchRow } from '../watch-row.ts'

export interface BrandQuery extends Paging {
  /** Words to find in name, slug and aliases. */
  q?: string | undefined
  sort?: 'name' | '-name' | 'watches_count' | '-watches_count' | undefined
}

export class Brands {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(query: BrandQuery = {}, options?: CallOptions): PageCall<BrandList> {
    return new PageCall(this.#transport, { path: ['brands'], query, options })
  }

  get(idOrSlug: number | string, options?: CallOptions): Call<Brand> {
    const received = this.#transport.send({ path: ['brands', idOrSlug] }, options)
    return callOf(received, ({ data }: BrandAnswer) => data)
  }

  /** The watches of a brand, with the query of `watches.list`. */
  watches<const Fields extends readonly WatchField[] | undefined = undefined>(
    idOrSlug: number | string,
    query: WatchQuery<Fields> = {},
    options?: CallOptions,
  ): PageCall<WatchPage<WatchRow<Fields>>> {
    const path = ['brands', idOrSlug, 'watches']
    return new PageCall(this.#transport, { path, query, options })
  }
}
