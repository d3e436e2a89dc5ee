// Changes of the log, read to be applied to the index. Many of them are held while others are applied, so they are stored
// as columns: the garbage collector would take as long for an object for each as it takes to apply them.
import type { Price } from '../../catalogue/prices.ts'
import type { WatchPrice } from '../../catalogue/watches.ts'
import type { Change } from '../../changes/log.ts'

/** A change as it is read. */
export type ChangeRow = readonly [
  sequence: number,
  type: Change['type'],
  subjectId: number,
  at: string,
  commitId: string,
  /** Null unless the change is a new price. Earlier versions did not log `updated_at`. */
  data: { readonly new?: Price; readonly updated_at?: string } | null,
]

export class ChangeBatch {
  readonly length: number
  /** Whether `price` has a value for each. */
  readonly hasOnlyPrices: boolean
  readonly #sequences: number[] = []
  readonly #types: Change['type'][] = []
  readonly #subjectIds: number[] = []
  readonly #ats: string[] = []
  readonly #commitIds: string[] = []
  readonly #retail: (number | null)[] = []
  readonly #market: (number | null)[] = []
  readonly #updatedAts: (string | undefined)[] = []

  constructor(changes: readonly ChangeRow[]) {
    this.length = changes.length
    for (const [sequence, type, subjectId, at, commitId, data] of changes) {
      this.#sequences.push(sequence)
      this.#subjectIds.push(subjectId)
      pushShared(this.#types, type)
      pushShared(this.#ats, at)
      pushShared(this.#commitIds, commitId)
      this.#retail.push(data?.new?.retail_price_usd ?? null)
      this.#market.push(data?.new?.current_market_price ?? null)
      pushShared(this.#updatedAts, data?.updated_at)
    }
    this.hasOnlyPrices = !this.#updatedAts.includes(undefined)
  }

  /** As `at` of arrays. */
  at(index: number): Change | undefined {
    const place = index < 0 ? this.length + index : index
    const sequence = this.#sequences[place]
    if (sequence === undefined) return undefined
    return {
      sequence,
      type: this.#types[place] as Change['type'],
      subjectId: this.#subjectIds[place] as number,
      at: this.#ats[place] as string,
      commitId: this.#commitIds[place] as string,
    }
  }

  /** Returns what a new price changes in its watch; undefined for other changes. */
  price(index: number): WatchPrice | undefined {
    const updatedAt = this.#updatedAts[index]
    if (updatedAt === undefined) return undefined
    return {
      id: this.#subjectIds[index] as number,
      retail_price_usd: this.#retail[index] as number | null,
      current_market_price: this.#market[index] as number | null,
      updated_at: updatedAt,
    }
  }

  [Symbol.iterator](): Iterator<Change> {
    let next = 0
    return {
      next: () => {
        const value = this.at(next++)
        return value === undefined ? { done: true, value } : { done: false, value }
      },
    }
  }
}

/** Changes of one transaction have the same texts: one of them is enough. */
function pushShared<T extends string | undefined>(column: T[], text: T): void {
  const last = column.at(-1)
  column.push(last === text ? (last as T) : text)
}
