// Finds the words of the dictionary that a mistyped word may stand for. A scan over all words compares a few bits of
// each, which tell which letters it has; only those that may be similar are read and compared letter by letter.
import { distanceBetween, distanceFromBeginning } from '../../specs/near-texts.ts'
import type { MemoryBlocks } from '../sets/memory-blocks.ts'

export interface SpellingParts {
  /** The terms of the words that may be mistyped. */
  readonly words: Uint32Array
  /** One bit for each letter or digit that the word has. */
  readonly letters: Uint32Array
  readonly lengths: Uint8Array
}

export interface SimilarWord {
  readonly word: string
  /** The number of typing mistakes between the two. */
  readonly distance: number
}

/** Longer words are not compared: nobody types them. */
const lengthMax = 40
/** The words that are returned at most, those with the fewest mistakes. */
const similarMax = 12
const bits = 32

/** Returns how many mistakes a word of this length may have. */
export function mistakesIn(word: string): number {
  if (word.length < 4 || !/\p{L}/u.test(word)) return 0
  return word.length < 8 ? 1 : 2
}

/** Whether a word may be mistyped: digits alone are a number or a reference, where another digit is another watch. */
function mayBeMistyped(word: string): boolean {
  return word.length >= 3 && word.length <= lengthMax && /\p{L}/u.test(word)
}

/** `textOf` returns the word of a term. */
export function packSpelling(
  memory: MemoryBlocks,
  terms: Iterable<number>,
  textOf: (term: number) => string,
): SpellingParts {
  const known = Array.from(terms, (term) => ({ term, word: textOf(term) }))
  const words = known.filter(({ word }) => mayBeMistyped(word))
  const lengths = new Uint8Array(memory.bytes(words.length))
  words.forEach(({ word }, at) => {
    lengths[at] = word.length
  })
  return {
    words: memory.copyOfWords(Uint32Array.from(words, ({ term }) => term)),
    letters: memory.copyOfWords(Uint32Array.from(words, ({ word }) => lettersOf(word))),
    lengths,
  }
}

/**
 * Returns the words within `max` mistakes, fewest mistakes first. With `isPrefix`, a word that begins with what was
 * typed is similar, too. `added` are words that are not in the parts.
 */
export function findSimilar(
  { words, letters, lengths }: SpellingParts,
  typed: string,
  { max, isPrefix }: { readonly max: number; readonly isPrefix: boolean },
  { textOf, added }: { readonly textOf: (term: number) => string; readonly added: Iterable<string> },
): SimilarWord[] {
  const wanted = lettersOf(typed)
  const longest = isPrefix ? lengthMax : typed.length + max
  const shortest = typed.length - max
  const found = new Map<string, number>()
  const compare = (word: string) => {
    const distance = isPrefix ? distanceFromBeginning(typed, word, max) : distanceBetween(typed, word, max)
    if (distance <= max && distance > 0) found.set(word, distance)
  }
  for (let at = 0; at < words.length; at++) {
    const length = lengths[at] as number
    if (length < shortest || length > longest) continue
    const own = letters[at] as number
    // Each mistake takes away one letter at most, and adds one at most.
    if (countBits(wanted & ~own) > max || (!isPrefix && countBits(own & ~wanted) > max)) continue
    compare(textOf(words[at] as number))
  }
  for (const word of added) if (mayBeMistyped(word)) compare(word)
  return Array.from(found, ([word, distance]) => ({ word, distance }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, similarMax)
}

function lettersOf(word: string): number {
  let set = 0
  for (let at = 0; at < word.length; at++) set |= 1 << (word.charCodeAt(at) % bits)
  return set
}

function countBits(set: number): number {
  let rest = set - ((set >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
