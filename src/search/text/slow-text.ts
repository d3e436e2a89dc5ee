// Tells what reading a text needs that may be slow: sets of words that many terms have, and of filters. They are made in
// turns with other requests (results/warm-up.ts) before the text is read.
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter } from '../query/watch-query.ts'
import { hasTerms } from './meanings.ts'
import { divideText, type Part } from './parts.ts'

export interface SlowText {
  readonly words: readonly { readonly word: string; readonly isPrefix: boolean }[]
  readonly filters: readonly Filter[]
  readonly hasPrice: boolean
  /** How many bitmaps it takes to read the text once all that is ready. */
  readonly bitmaps: number
}

/** For a word or a group of words; as many again to correct it. */
const partBitmaps = 60

export function slowText(index: WatchIndex, plain: string): SlowText {
  const words: { word: string; isPrefix: boolean }[] = []
  const filters: Filter[] = []
  const { text, parts } = divideText(index, plain)
  let hasPrice = false
  let bitmaps = 0
  const isUnknown = ({ inner, meanings, written }: Part) =>
    inner.length === 0 && meanings.length === 1 && !hasTerms(index, written)
  const add = (part: Part) => {
    // Inner parts need no sets if no watch can have them all.
    if (!part.inner.some(isUnknown)) part.inner.forEach(add)
    for (const meaning of part.meanings) {
      if (meaning.kind === 'price') hasPrice = true
      if (meaning.kind === 'filter') filters.push(...meaning.filters)
      if (meaning.kind !== 'word') continue
      for (const word of meaning.words) if (word !== meaning.prefix) words.push({ word, isPrefix: false })
      if (meaning.prefix !== undefined) words.push({ word: meaning.prefix, isPrefix: true })
    }
    bitmaps += partBitmaps
    if (!isUnknown(part)) return
    bitmaps += partBitmaps
    words.push({ word: part.written, isPrefix: true })
    // Those with the fewest mistakes come first, and the others are seldom needed.
    const similar = text.similarWords(part.written, false)
    for (const { word, distance } of similar) {
      if (distance === similar[0]?.distance) words.push({ word, isPrefix: false })
    }
  }
  parts.forEach(add)
  return { words, filters, hasPrice, bitmaps }
}
