// Implements `X-Min-Sequence`: a request that needs a state of the catalogue waits until the index has it, for a moment.
// Otherwise a client that has heard of a change, from a webhook or another process, could read the watch as it was before.
import { invalid, Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { usualHeaders } from '../connection/headers.ts'
import type { LongPolls } from '../operations/long-polls.ts'
import type { Charges } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { type Steps, settled } from './steps.ts'

export interface MinSequenceParts {
  readonly index: () => WatchIndex
  /** The requests that wait for the index. */
  readonly reaching: LongPolls
}

/** How long a request waits. */
export const reachMaxMs = 2_000
/** Requests that wait at once: of one account, and in all. */
export const reachingMax = { perAccount: 100, inAll: 1_000 }
export const digitsMax = 15
const sequence = new RegExp(`^\\d{1,${digitsMax}}$`)

/** Waits if the request says so. Throws a Problem, which is free, if the index does not get there in time. */
export function* awaitSequence(exchange: Exchange, parts: MinSequenceParts, charges: Charges): Steps<void> {
  const { minSequence } = usualHeaders(exchange.request)
  if (minSequence === undefined || !sequence.test(minSequence)) return
  const wanted = Number(minSequence)
  const isReached = () => parts.index().head.sequence >= wanted
  if (!isReached()) {
    const { caller, response } = exchange.call
    yield parts.reaching.wait(caller.accountId, reachMaxMs, response, isReached)
    if (!isReached()) {
      yield* settled(charges.waive(exchange))
      throw new Problem('unavailable')
    }
  }
  exchange.sequence = parts.index().head.sequence
}

/** Throws a Problem if the header is malformed; call it where queries are validated. */
export function checkMinSequence({ request }: Exchange): void {
  const { minSequence } = usualHeaders(request)
  if (minSequence === undefined || sequence.test(minSequence)) return
  throw invalid('min_sequence', `The min sequence must be a whole number of at most ${digitsMax} digits.`)
}
