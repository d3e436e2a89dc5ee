// Stores the numbers of each watch (id, brand, prices, time of change) in typed arrays, and the sort orders of lists.
// A null is stored as NaN and comes last in either direction.
import type { WatchRow } from '../../catalogue/watches.ts'
import type { Slots } from '../sets/slots.ts'
import { Order } from './order.ts'

export interface ColumnsParts {
  /** The number of ordinals assigned so far, including those of deleted watches. */
  readonly used: number
  readonly ids: Float64Array
  readonly brandIds: Float64Array
  readonly retail: Float64Array
  readonly market: Float64Array
  readonly updatedAt: Float64Array
  /** The first `used` ordinals in order of each column, with room for all; lists of the slots. */
  readonly orders: Readonly<Record<OrderedColumn, Uint32Array>>
}

const orderedColumns = ['brand', 'retail', 'market', 'updatedAt'] as const
export type OrderedColumn = (typeof orderedColumns)[number]
type Numbers = Pick<WatchRow, 'brand_id' | 'retail_price_usd' | 'current_market_price' | 'updated_at'>
/** Where the numbers of each column are stored. */
const stored = { brand: 'brandIds', retail: 'retail', market: 'market', updatedAt: 'updatedAt' } as const

/**
 * Ids can commit out of order with concurrent writers. So up to this many ids below a new one get an ordinal too:
 * ordinals must be in the order of ids.
 */
const gapMax = 32
/**
 * With more watches to be moved than this, an order is settled. Settling moves a large part of the order, however few
 * watches are moved, so it is done for many together; but a query must not wait for it for long.
 */
const movedMax = 500

export class Columns {
  readonly capacity: number
  readonly #parts: ColumnsParts
  readonly #orders: Record<OrderedColumn, Order>
  #used: number

  /** `brandRank` returns the rank of a brand in order of name, `isLive` whether the watch exists. */
  constructor(
    parts: ColumnsParts,
    slots: Slots,
    brandRank: (brandId: number) => number,
    isLive: (ordinal: number) => boolean,
  ) {
    this.#parts = parts
    this.#used = parts.used
    this.capacity = parts.ids.length
    const order = (name: OrderedColumn, column: Float64Array, numberOf = itself) =>
      new Order(slots, { sorted: parts.orders[name], length: parts.used, column, numberOf, isLive })
    this.#orders = {
      brand: order('brand', parts.brandIds, brandRank),
      retail: order('retail', parts.retail),
      market: order('market', parts.market),
      updatedAt: order('updatedAt', parts.updatedAt),
    }
  }

  get used(): number {
    return this.#used
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
    // Ids are ascending, mostly without gaps: the first guess is right if there are none, and too high if there are some.
    let high = Math.max(0, Math.min(this.#used, id - (ids[0] as number) + 1))
    if (high > 0 && (ids[high - 1] as number) <= id) return high
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

  /** Writes the numbers of a watch. */
  set(ordinal: number, row: Numbers, isNew: boolean): void {
    this.#write('brand', ordinal, row.brand_id, isNew)
    this.setPrices(ordinal, row, isNew)
  }

  /** Writes the numbers that a new price changes. */
  setPrices(ordinal: number, row: Omit<Numbers, 'brand_id'>, isNew = false): void {
    this.#write('retail', ordinal, row.retail_price_usd ?? Number.NaN, isNew)
    this.#write('market', ordinal, row.current_market_price ?? Number.NaN, isNew)
    this.#write('updatedAt', ordinal, Date.parse(row.updated_at), isNew)
  }

  #write(name: OrderedColumn, ordinal: number, number: number, isNew: boolean): void {
    const column = this.#parts[stored[name]]
    // Most changes leave most numbers as they are.
    if (!isNew && Object.is(number, column[ordinal])) return
    this.#orders[name].move(ordinal, isNew)
    column[ordinal] = number
  }

  /** Call this for a watch that was removed. */
  remove(ordinal: number): void {
    for (const order of Object.values(this.#orders)) order.move(ordinal, false)
  }

  /** Returns the order with every change so far. */
  order(column: OrderedColumn): Order {
    this.#orders[column].settle()
    return this.#orders[column]
  }

  /**
   * Call this between changes, never during one: it keeps the next query from having to move too many watches. Settles
   * one order at most: all of them would hold the event loop for too long.
   */
  settleMany(): void {
    const orders = Object.values(this.#orders)
    const most = orders.reduce((one, other) => (other.movedCount > one.movedCount ? other : one))
    if (most.movedCount >= movedMax) most.settle()
  }
}

export function writeNumbers(
  columns: Omit<ColumnsParts, 'used' | 'orders'>,
  ordinal: number,
  row: Numbers,
): void {
  columns.brandIds[ordinal] = row.brand_id
  columns.retail[ordinal] = row.retail_price_usd ?? Number.NaN
  columns.market[ordinal] = row.current_market_price ?? Number.NaN
  columns.updatedAt[ordinal] = Date.parse(row.updated_at)
}

/** One function for several columns: V8 inlines what is always the same. */
function itself(stored: number): number {
  return stored
}
