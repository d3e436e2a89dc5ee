// Finds the watches that have a word in their brand, collection, reference or spec values.
import { wordTerm } from '../dictionary/terms.ts'
import { finish, inChunks, type Sliced } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { denseSet, unite, type WatchSet } from '../sets/watch-set.ts'

/** Terms of a word that are united between two pauses: each may be a bitmap. */
const pauseTerms = 16

const listedMax = 400

/** The name under which the set of a word is cached. */
export function wordName(word: string, isPrefix: boolean): string {
  return `${wordTerm(word)}${isPrefix ? '*' : ''}`
}

export function setOfWord(index: WatchIndex, word: string, isPrefix: boolean): WatchSet {
  return ofOneTerm(index, word, isPrefix) ?? setOfTerms(index, word, isPrefix)
}

/** The set of the only term that has the word, as it is: most names are in one brand or collection. */
function ofOneTerm({ dictionary, postings, references }: WatchIndex, word: string, isPrefix: boolean) {
  if (isPrefix || references.first(word, 1).length > 0) return undefined
  const [built = [], added = []] = dictionary.termsOf(word)
  const [only] = built
  const own = dictionary.find(wordTerm(word))
  if (only === undefined || built.length > 1 || added.length > 0 || postings.count(own) > 0) return undefined
  return postings.get(only)
}

function setOfTerms(index: WatchIndex, word: string, isPrefix: boolean): WatchSet {
  return index.resultCache.set(wordName(word, isPrefix), () => finish(findWord(index, word, isPrefix)))
}

/** Whether so few watches have the terms that their union needs no bitmap. */
function hasFew({ postings }: WatchIndex, lists: readonly (Uint32Array | readonly number[])[]): boolean {
  let left = listedMax
  for (const terms of lists) {
    for (const term of terms) {
      left -= 1 + postings.count(term)
      if (left < 0) return false
    }
  }
  return true
}

/** Finds the watches that have the word, or a word that begins with it, in a term or in their reference. */
export function* findWord(index: WatchIndex, word: string, isPrefix: boolean): Sliced<WatchSet> {
  const { postings, references, dictionary } = index
  const { slots } = postings
  const found = isPrefix ? references.beginningWith(word) : references.having(word)
  const lists = dictionary.termsWithWord(word, isPrefix)
  if (found.slot === undefined && hasFew(index, lists)) {
    const sets = lists.flatMap((terms) => Array.from(terms, (term) => postings.get(term)))
    return unite(slots, [found, ...sets])
  }
  const slot = found.slot ?? slots.allocate()
  let isKept = false
  try {
    if (found.slot === undefined) slots.mark(slot, found.ordinals, true)
    for (const terms of lists) {
      yield* inChunks(terms.length, pauseTerms, (at) => postings.addTo(slot, terms[at] as number))
    }
    isKept = true
    return denseSet(slot, slots.count(slot))
  } finally {
    if (!isKept) slots.free(slot)
  }
}
