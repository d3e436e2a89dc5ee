// Sorts a million numbers quickly, with a radix sort of 16 bits per pass, lowest digit first; a few numbers with 8 bits
// per pass, whose lists of counts are as short as theirs. Each pass is stable, so equal numbers stay in their original
// order.
import { MemoryBlocks } from './memory-blocks.ts'

const wordsPerNumber = 2
/** Summing up the counts of 65,536 digits takes longer than sorting so many numbers in twice as many passes. */
const fewMax = 4_096

/** Returns the positions of the numbers in ascending order; NaN last, ties by position. */
export function sortByNumber(numbers: Float64Array): Uint32Array {
  const count = numbers.length
  const memory = new MemoryBlocks()
  let order = memory.words(count)
  let next = memory.words(count)
  const digits = sortableDigits(memory, numbers)
  const [digitsPerNumber, digitValues] = count <= fewMax ? [8, 256] : [4, 65_536]
  for (let at = 0; at < count; at++) order[at] = at
  for (let digit = 0; digit < digitsPerNumber; digit++) {
    const starts = new Uint32Array(digitValues + 1)
    const digitOf = (at: number) => digits[at * digitsPerNumber + digit] as number
    for (let at = 0; at < count; at++) starts[digitOf(at) + 1] = (starts[digitOf(at) + 1] as number) + 1
    // All numbers have the same digit, as prices do in the lowest ones: nothing to move.
    if (count > 0 && starts[digitOf(0) + 1] === count) continue
    sumUp(starts)
    for (const at of order) {
      const value = digitOf(at)
      next[starts[value] as number] = at
      starts[value] = (starts[value] as number) + 1
    }
    ;[order, next] = [next, order]
  }
  return order
}

/**
 * Returns the numbers as unsigned integers that sort the same way, lowest digit first. IEEE 754 needs little change:
 * negative numbers have all bits inverted, the others only the sign bit.
 */
function sortableDigits(memory: MemoryBlocks, numbers: Float64Array): Uint8Array | Uint16Array {
  const words = memory.words(numbers.length * wordsPerNumber)
  const view = new DataView(words.buffer, words.byteOffset)
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    // -0 becomes 0, and every NaN sorts above all numbers.
    view.setFloat64(at * 8, number === 0 ? 0 : number, true)
    const high = words[at * 2 + 1] as number
    if (Number.isNaN(number)) words.fill(0xffff_ffff, at * 2, at * 2 + 2)
    else if (high >>> 31 === 1) {
      words[at * 2] = ~(words[at * 2] as number)
      words[at * 2 + 1] = ~high
    } else words[at * 2 + 1] = high | 0x8000_0000
  }
  const { buffer, byteOffset, byteLength } = words
  return numbers.length <= fewMax
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : new Uint16Array(buffer, byteOffset, byteLength / 2)
}

/**
 * Turns lengths into start positions, in place: `counts[n + 1]` is the length of list n, and `counts[n]` becomes its
 * start. The last one is the end of all lists.
 */
export function sumUp(counts: Uint32Array): Uint32Array {
  for (let at = 1; at < counts.length; at++) counts[at] = (counts[at] as number) + (counts[at - 1] as number)
  return counts
}
