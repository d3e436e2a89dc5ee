// A response of the catalogue before it is encoded and sent.
import type { Content } from '../../search/results/list-watches.ts'

export type Headers = Readonly<Record<string, string>>

/** A response whose ETag is known before it is made. */
export interface Prepared {
  /** The strong ETag of the plain body, quotes included. It must be unique across all URLs, not only within one. */
  readonly etag: string
  readonly make: () => Made
  /** How many requests it counts as, if not one. */
  readonly requests?: number
  /** The response has all changes up to this one, if that is later than when its request came. */
  readonly sequence?: number
  /** Whether it takes so little time that it may be made before anyone asks, for an index that is not in use yet. */
  readonly isQuick?: boolean
  /**
   * Does what would hold the event loop for too long, in slices, so that `make` finds it done. Undefined where there is
   * no such work. Afterwards the response must be prepared again: the catalogue may have changed. The slow works of one
   * caller, an account or an address, wait for each other.
   */
  readonly warmUp?: (caller: string) => Promise<void> | undefined
}

export interface Made {
  /** Names in lower case. A 304 does not repeat them: the caller has them with its copy of the body. */
  readonly headers: Headers
  /** Whole watches, joined only when they are sent, or any other bytes. */
  readonly content: Content
}
