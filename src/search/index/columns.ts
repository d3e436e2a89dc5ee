// Stores the numbers of each watch (id, brand, prices, time of change) in typed arrays, and the sort orders of lists.
// A null is stored as NaN and comes last in either direction.
import type { WatchRow } from '../../catalogue/watches.ts'

export interface ColumnsParts {
  /** The number of ordinals assigned so far, including those of deleted watches. */
  readonly used: number
  readonly ids: Float64Array
  readonly brandIds: Float64Array
  readonly retail: Float64Array
  readonly market: Float64Array
  readonly updatedAt: Float64Array
  readonly orders: Readonly<Record<OrderedColumn, Uint32Array>>
}

export type OrderedColumn = 'brand' | 'retail' | 'market' | 'updatedAt'

/**
 * Ids can commit out of order with concurrent writers. So up to this many ids below a new one get an ordinal too:
 * ordinals must be in the order of ids.
 */
const gapMax = 32

export class Columns {
  readonly capacity: number
  readonly #parts: ColumnsParts
  readonly #orders: Record<OrderedColumn, Order>
  #used: number

  /** `brandRank` returns the rank of a brand in order of name. */
  constructor(parts: ColumnsParts, brandRank: (brandId: number) => number) {
    this.#parts = parts
    this.#used = parts.used
    this.capacity = parts.ids.length
    const { orders, brandIds, retail, market, updatedAt } = parts
    this.#orders = {
      brand: new Order(orders.brand, (ordinal) => brandRank(brandIds[ordinal] as number)),
      retail: new Order(orders.retail, (ordinal) => retail[ordinal] as number),
      market: new Order(orders.market, (ordinal) => market[ordinal] as number),
      updatedAt: new Order(orders.updatedAt, (ordinal) => updatedAt[ordinal] as number),
    }
  }

  get used(): number {
    return this.#used
  }

  get retail(): Float64Array {
    return this.#parts.retail
  }

  get market(): Float64Array {
    return this.#parts.market
  }

  id(ordinal: number): number {
    return this.#parts.ids[ordinal] as number
  }

  brandId(ordinal: number): number {
    return this.#parts.brandIds[ordinal] as number
  }

  updatedAt(ordinal: number): number {
    return this.#parts.updatedAt[ordinal] as number
  }

  /** Returns the ordinal of an id, even if its watch was deleted; undefined if it never had one. */
  find(id: number): number | undefined {
    const ordinal = this.after(id - 1)
    return ordinal < this.#used && this.id(ordinal) === id ? ordinal : undefined
  }

  /** Returns the first ordinal with a higher id, even if its watch was deleted; `used` if there is none. */
  after(id: number): number {
    const { ids } = this.#parts
    let low = 0
    let high = this.#used
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ids[middle] as number) <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns whether these new ids can be appended: all are above the existing ids, and the capacity suffices. */
  hasRoomFor(ids: readonly number[]): boolean {
    let last = this.#lastId
    let used = this.#used
    for (const id of ids.toSorted((one, other) => one - other)) {
      if (id <= last) return false
      used += Math.min(id - last, gapMax + 1)
      last = id
    }
    return used <= this.capacity
  }

  /** Assigns the next ordinal to an id, and reserves ordinals for ids just below it that may commit later. */
  append(id: number): number {
    for (let gap = Math.max(this.#lastId + 1, id - gapMax); gap <= id; gap++)
      this.#parts.ids[this.#used++] = gap
    return this.#used - 1
  }

  get #lastId(): number {
    return this.#used === 0 ? 0 : this.id(this.#used - 1)
  }

  /** Writes the numbers of a watch and marks it as moved in every order. */
  set(ordinal: number, row: WatchRow): void {
    writeNumbers(this.#parts, ordinal, row)
    this.move(ordinal)
  }

  move(ordinal: number): void {
    for (const order of Object.values(this.#orders)) order.move(ordinal)
  }

  order(column: OrderedColumn, isLive: (ordinal: number) => boolean): Order {
    this.#orders[column].settle(isLive)
    return this.#orders[column]
  }
}

export function writeNumbers(
  columns: Omit<ColumnsParts, 'used' | 'orders'>,
  ordinal: number,
  row: WatchRow,
): void {
  columns.brandIds[ordinal] = row.brand_id
  columns.retail[ordinal] = row.retail_price_usd ?? Number.NaN
  columns.market[ordinal] = row.current_market_price ?? Number.NaN
  columns.updatedAt[ordinal] = Date.parse(row.updated_at)
}

/** All watches in order of one column, ties by id. `settle` puts moved watches into place before the order is read. */
export class Order {
  #sorted: Uint32Array
  readonly #numberOf: (ordinal: number) => number
  readonly #moved = new Set<number>()

  constructor(sorted: Uint32Array, numberOf: (ordinal: number) => number) {
    this.#sorted = sorted
    this.#numberOf = numberOf
  }

  get ascending(): Uint32Array {
    return this.#sorted
  }

  move(ordinal: number): void {
    this.#moved.add(ordinal)
  }

  settle(isLive: (ordinal: number) => boolean): void {
    if (this.#moved.size === 0) return
    const moved = [...this.#moved].filter(isLive).sort((one, other) => this.compare(one, other))
    const merged = new Uint32Array(this.#sorted.length + moved.length)
    let [length, next] = [0, 0]
    for (const ordinal of this.#sorted) {
      if (this.#moved.has(ordinal)) continue
      while (next < moved.length && this.compare(moved[next] as number, ordinal) < 0) {
        merged[length++] = moved[next++] as number
      }
      merged[length++] = ordinal
    }
    while (next < moved.length) merged[length++] = moved[next++] as number
    this.#sorted = merged.subarray(0, length)
    this.#moved.clear()
  }

  /** Compares in either direction; nulls last, ties by id. */
  compare(one: number, other: number, direction: 1 | -1 = 1): number {
    const a = this.#numberOf(one)
    const b = this.#numberOf(other)
    if (Number.isNaN(a) || Number.isNaN(b))
      return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - other
    return direction * (a - b) || one - other
  }

  /** Turns members in ascending order into descending order; equal values stay in order of id, nulls last. */
  descend(ascending: Uint32Array): Uint32Array {
    const descending = new Uint32Array(ascending.length)
    let length = 0
    let end = ascending.length
    while (end > 0 && Number.isNaN(this.#numberOf(ascending[end - 1] as number))) end--
    for (let groupEnd = end; groupEnd > 0; ) {
      const value = this.#numberOf(ascending[groupEnd - 1] as number)
      let start = groupEnd - 1
      while (start > 0 && this.#numberOf(ascending[start - 1] as number) === value) start--
      for (let at = start; at < groupEnd; at++) descending[length++] = ascending[at] as number
      groupEnd = start
    }
    descending.set(ascending.subarray(end), length)
    return descending
  }
}
