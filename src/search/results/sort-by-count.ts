// Sorts values by how many watches have them, the most frequent first. Values with the same count stay in their order.
import { inChunks, type Sliced } from '../index/slices.ts'
import { sumUp } from '../sets/sort-by-number.ts'

/** Up to this many values, a plain sort is as fast. */
const plainMax = 2_000
const digitValues = 65_536
const digitBits = 16
const pauseValues = 20_000

/** Returns the positions of the counts above zero. */
export function* sortByCount(counts: Uint32Array): Sliced<Uint32Array> {
  let order: Uint32Array = new Uint32Array(counts.length)
  let length = 0
  let most = 0
  yield* inChunks(counts.length, pauseValues, (at) => {
    const count = counts[at] as number
    if (count > 0) order[length++] = at
    if (count > most) most = count
  })
  order = order.subarray(0, length)
  if (length <= plainMax) {
    return order.sort((one, other) => (counts[other] as number) - (counts[one] as number) || one - other)
  }
  for (let shift = 0; most >>> shift > 0 && shift < 32; shift += digitBits) {
    order = yield* sortByDigit(order, counts, shift)
  }
  return order
}

/** One pass of a radix sort, lowest digit first; stable, and descending. */
function* sortByDigit(order: Uint32Array, counts: Uint32Array, shift: number): Sliced<Uint32Array> {
  const next = new Uint32Array(order.length)
  const starts = new Uint32Array(digitValues + 1)
  const digitOf = (at: number) => digitValues - 1 - (((counts[at] as number) >>> shift) & (digitValues - 1))
  yield* inChunks(order.length, pauseValues, (place) => {
    const digit = digitOf(order[place] as number)
    starts[digit + 1] = (starts[digit + 1] as number) + 1
  })
  sumUp(starts)
  yield* inChunks(order.length, pauseValues, (place) => {
    const at = order[place] as number
    const digit = digitOf(at)
    next[starts[digit] as number] = at
    starts[digit] = (starts[digit] as number) + 1
  })
  return next
}
