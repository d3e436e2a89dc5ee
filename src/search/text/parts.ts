// Divides the text of `q` into parts: groups of words that mean something together, and single words. A group also
// keeps the parts that it would consist of otherwise, so that no watch with all the words is lost.
import type { WatchIndex } from '../index/watch-index.ts'
import {
  groupMax,
  type Meaning,
  meaningsOf,
  openText,
  type Text,
  wordMeaning,
  writtenAs,
} from './meanings.ts'
import { isFiller } from './tokens.ts'

export interface Part {
  /** The tokens of the text, from `from` up to `to`. */
  readonly from: number
  readonly to: number
  readonly written: string
  readonly meanings: readonly Meaning[]
  /** For a group: the parts without it, all of which must fit. */
  readonly inner: readonly Part[]
  /** What was read in place of a mistyped word, the likeliest first. */
  readonly corrected?: readonly string[]
  /** Tells nothing about a watch: need not fit. */
  readonly isFiller: boolean
}

export interface DividedText {
  readonly text: Text
  readonly parts: readonly Part[]
}

let last: (DividedText & { readonly index: WatchIndex; readonly version: string }) | undefined

/** The text that was divided last is kept: what is slow about it is found before it is read. */
export function divideText(index: WatchIndex, plain: string): DividedText {
  const { version } = index
  if (last?.index === index && last.version === version && last.text.plain === plain) return last
  const text = openText(index, plain)
  last = { index, version, text, parts: partsOf(index, text) }
  return last
}

function partsOf(index: WatchIndex, text: Text): Part[] {
  const known = new Map<string, readonly Meaning[]>()
  const meaningsAt = (from: number, to: number) =>
    known.getOrInsertComputed(`${from} ${to}`, () => meaningsOf(index, text, from, to))
  const said = new Set<string>()
  return divide(text, meaningsAt, 0, text.tokens.length, groupMax).filter(({ written }) => {
    // A part that is said again means no more.
    const isFirst = !said.has(written)
    said.add(written)
    return isFirst
  })
}

/** From the left, the longest group of at most `max` words that means something. */
function divide(
  text: Text,
  meaningsAt: (from: number, to: number) => readonly Meaning[],
  start: number,
  end: number,
  max: number,
): Part[] {
  const parts: Part[] = []
  for (let from = start; from < end; ) {
    let to = Math.min(end, from + max)
    while (to > from + 1 && meaningsAt(from, to).length === 0) to--
    parts.push(partAt(text, meaningsAt, from, to))
    from = to
  }
  return parts
}

function partAt(
  text: Text,
  meaningsAt: (from: number, to: number) => readonly Meaning[],
  from: number,
  to: number,
): Part {
  const written = writtenAs(text, from, to)
  const meanings = meaningsAt(from, to)
  if (to - from > 1) {
    const inner = divide(text, meaningsAt, from, to, to - from - 1)
    return { from, to, written, meanings, inner, isFiller: false }
  }
  const word = text.tokens[from]?.word ?? ''
  // Behind an apostrophe, as in `men's`.
  const isGenitive = word === 's' && from > 0
  return {
    from,
    to,
    written,
    meanings: [...meanings, wordMeaning(text, from)],
    inner: [],
    isFiller: meanings.length === 0 && (isFiller(word) || isGenitive || text.keys.byWord.has(word)),
  }
}
