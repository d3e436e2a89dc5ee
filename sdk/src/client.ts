// The client: one object with all resources of the API.
import type {
  Resolution,
  ResolutionList,
  Suggestion,
  SuggestionList,
  Title,
  Usage,
  UsageAnswer,
} from './api-types.ts'
import { type Call, callOf } from './call.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { Brands } from './resources/brands.ts'
import { Changes } from './resources/changes.ts'
import { Specs } from './resources/specs.ts'
import { Watches } from './resources/watches.ts'
import { Webhooks } from './resources/webhooks.ts'
import { Transport } from './transport.ts'
import { WatchExport } from './watch-export.ts'

export class Watchdata {
  readonly watches: Watches
  readonly brands: Brands
  readonly specs: Specs
  readonly changes: Changes
  readonly webhooks: Webhooks
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
    this.watches = new Watches(this.#transport)
    this.brands = new Brands(this.#transport)
    this.specs = new Specs(this.#transport)
    this.changes = new Changes(this.#transport)
    this.webhooks = new Webhooks(this.#transport)
  }

  /** What the text of a search box may become. */
  suggest(q: string, query: { limit?: number | undefined } = {}, options?: CallOptions): Call<Suggestion[]> {
    const received = this.#transport.send({ path: ['suggest'], query: { q, ...query } }, options)
    return callOf(received, ({ data }: SuggestionList) => data)
  }

  /** For each text, in the same order, the watches that it may mean. Ten texts count as one request. */
  resolve(texts: readonly (string | Title)[], options?: CallOptions): Call<Resolution[]> {
    const sent = { method: 'POST', path: ['resolve'], body: { texts } } as const
    return callOf(this.#transport.send(sent, options), ({ data }: ResolutionList) => data)
  }

  /** Your plan, and the requests of the last 30 days. Costs no quota. */
  usage(options?: CallOptions): Call<Usage> {
    return callOf(this.#transport.send({ path: ['usage'] }, options), ({ data }: UsageAnswer) => data)
  }

  /** Every watch of the catalogue, streamed. */
  export(options?: CallOptions): WatchExport {
    return new WatchExport(this.#transport, options)
  }
}
