// The type of a workload: which requests it sends, as which client, and the ratio to the bare server that it must
// reach.
import { integerBetween, type Random } from '../catalogues/random.ts'
import type { MixRequest } from '../measure/draw-mix.ts'
import type { Source } from '../measure/requests.ts'
import type { Client } from './clients.ts'

export interface Workload {
  readonly name: string
  readonly client: Client
  /** Returns the function that draws the path of the next request. Seeded: the same in every run. */
  readonly draw: (from: Drawing) => () => string
  /** No request is sent twice to one process, so that cached results never help. */
  readonly isNeverRepeated?: true
  /** Sends the current ETag as If-None-Match: every response is a 304. */
  readonly isConditional?: true
  /** The least requests per second of the service / of the bare server. */
  readonly bars?: Readonly<Record<'100k' | '1m', number>>
}

export interface Drawing {
  readonly mix: readonly MixRequest[]
  readonly source: Source
}

export const listPath = '/api/v1/watches'

/** Walks through the mix; `pathOf` turns each of its queries into a path. */
export function walkMix({ mix }: Drawing, pathOf: (query: string) => string): () => string {
  let next = 0
  return () => pathOf(mix[next++ % mix.length]?.query ?? '')
}

export function drawId(random: Random, { source }: Drawing): number {
  return integerBetween(random, 1, source.count)
}
