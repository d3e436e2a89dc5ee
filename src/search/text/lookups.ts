// Tables to look up what a word or phrase is called otherwise: nicknames, everyday words for filters, short names of
// brands and synonyms, by their letters. Made once for a vocabulary.
import { Failure, Problem } from '../../errors.ts'
import { foldLetters, plainText } from '../../specs/fold.ts'
import type { Nickname } from '../../specs/nicknames.ts'
import { anyKey, wordsSection } from '../../specs/synonyms.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { findSimilar, packSpelling, type SimilarWord } from '../dictionary/similar-words.ts'
import { parseWatchQuery } from '../query/parse-query.ts'
import type { Filter } from '../query/watch-query.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'

export interface Lookups {
  readonly nicknames: ReadonlyMap<string, readonly Nickname[]>
  /** Their letters in order. */
  readonly nicknameOrder: readonly string[]
  readonly filters: ReadonlyMap<string, readonly Filter[]>
  /** The other names of a brand, by the letters of each. */
  readonly brands: ReadonlyMap<string, readonly string[]>
  /** The keys, and the spelling to look for; `*` is every key. */
  readonly synonyms: ReadonlyMap<string, readonly Synonym[]>
  /** The letters of all names above, to find a mistyped one. */
  similarNames(typed: string, max: number): SimilarWord[]
  /** Words that are spelled in several ways, such as `grey` and `gray`. */
  readonly spellings: ReadonlyMap<string, readonly string[]>
}

export interface Synonym {
  readonly key: string
  readonly shown: string
}

const known = new WeakMap<Vocabulary, Lookups>()

/** Throws a Failure if a filter in the table of nicknames cannot be parsed. */
export function lookupsOf(vocabulary: Vocabulary): Lookups {
  const made = known.get(vocabulary) ?? makeLookups(vocabulary)
  known.set(vocabulary, made)
  return made
}

function makeLookups(vocabulary: Vocabulary): Lookups {
  const { nicknames, synonyms } = vocabulary
  const byNickname = new Map<string, Nickname[]>()
  for (const nickname of nicknames.watches) addTo(byNickname, nickname.names, nickname)
  const filters = new Map<string, readonly Filter[]>()
  for (const { names, query, place } of nicknames.filters) {
    const parsed = parseFilters(query, place, vocabulary)
    for (const name of names) filters.set(foldLetters(name), parsed)
  }
  const brands = new Map<string, readonly string[]>()
  for (const names of nicknames.brands) for (const name of names) brands.set(foldLetters(name), names)
  const bySpelling = new Map<string, Synonym[]>()
  const spellings = new Map<string, readonly string[]>()
  for (const { keys, spellings: group } of synonyms.groups) {
    if (keys.includes(wordsSection)) {
      const words = [...new Set(group.map(plainText))]
      for (const word of words) spellings.set(word, words)
      continue
    }
    for (const key of keys) addTo(bySpelling, group, { key, shown: group[0] as string })
  }
  const names = [...new Set([byNickname, filters, brands, bySpelling].flatMap((table) => [...table.keys()]))]
  const spelling = packSpelling(new MemoryBlocks(), names.keys(), (at) => names[at] as string)
  const textOf = (at: number) => names[at] as string
  return {
    nicknames: byNickname,
    nicknameOrder: [...byNickname.keys()].sort(),
    filters,
    brands,
    synonyms: bySpelling,
    spellings,
    similarNames: (typed, max) =>
      findSimilar(spelling, typed, { max, isPrefix: false }, { textOf, added: [] }),
  }
}

function parseFilters(query: string, place: string, vocabulary: Vocabulary): readonly Filter[] {
  try {
    return parseWatchQuery(query, vocabulary).filters
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Failure(
      `${place}: ${Object.values(error.details.errors ?? {})
        .flat()
        .join(' ')}`,
    )
  }
}

function addTo<T>(table: Map<string, T[]>, names: readonly string[], item: T): void {
  for (const letters of new Set(names.map(foldLetters)))
    table.getOrInsertComputed(letters, () => []).push(item)
}

export function isEveryKey({ key }: Synonym): boolean {
  return key === anyKey
}
