// The spec dictionary: all keys, and the values of one.
import type { SpecKey, SpecKeyList, SpecValueList } from '../api-types.ts'
import { type Call, callOf } from '../call.ts'
import type { CallOptions } from '../options.ts'
import { PageCall } from '../page-call.ts'
import type { Transport } from '../transport.ts'
import type { Paging } from '../watch-query.ts'

export class Specs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every key, the most frequent first, with its type, its unit and some of its values. */
  list(options?: CallOptions): Call<SpecKey[]> {
    const received = this.#transport.send({ path: ['specs'] }, options)
    return callOf(received, ({ data }: SpecKeyList) => data)
  }

  /** The values of a key, the most frequent first. */
  values(key: string, query: Paging = {}, options?: CallOptions): PageCall<SpecValueList> {
    return new PageCall(this.#transport, { path: ['specs', key], query, options })
  }
}
