// Finds the brands that a title names: by name, alias or short name, joined or split, and with a typing mistake where
// no brand stands as it is spelled.
import { foldBrand, foldLetters } from '../../specs/fold.ts'
import { findSimilar, mistakesIn, packSpelling } from '../dictionary/similar-words.ts'
import type { BrandNames } from '../index/brand-names.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { hasTerms } from '../text/meanings.ts'
import { mark, type TitleText } from './title-text.ts'
import { noiseWords } from './title-words.ts'

export interface FoundBrands {
  /** The ids of the brand that is meant; none if no brand of the catalogue is. */
  readonly ids: readonly number[]
  /** As the catalogue spells it. */
  readonly name: string | null
  /** Brands that are named beside it, as in `Omega x Swatch`. */
  readonly others: readonly number[]
  /** Whether a brand is named that the catalogue does not have, or another one than the request says. */
  readonly isForeign: boolean
  /** Whether such a brand is named beside one of the catalogue, as in `Invicta like a Rolex`. */
  readonly hasForeign: boolean
  readonly isContradicted: boolean
}

interface KnownBrands {
  readonly byLetters: ReadonlyMap<string, readonly number[]>
  /** How the names begin, in any length: most words begin none. */
  readonly beginnings: ReadonlySet<string>
  similar(word: string): readonly string[]
}

/** Names have this many words at most. */
const wordsMax = 5
/** Shorter names are initials: they count where they are written in capitals. */
const initialsMax = 2
/** Shorter words have too many similar ones. */
const similarMin = 5

const known = new WeakMap<BrandNames, KnownBrands>()

export function findBrands(index: WatchIndex, text: TitleText, requested: string | undefined): FoundBrands {
  const { brands } = index
  const names = knownBrands(index)
  const spans = spansIn(text, names)
  const isSpelled = spans.some(({ ids }) => ids.length > 0)
  const all = isSpelled || requested !== undefined ? spans : [...spans, ...similarSpans(index, text, names)]
  const named = all
    .filter(({ ids }) => ids.length > 0)
    .sort((one, other) => Number(one.isShort) - Number(other.isShort))
  const own = requested === undefined || requested.trim() === '' ? undefined : requestedIds(index, requested)
  const ids = own ?? named[0]?.ids ?? []
  for (const { from, to } of all) mark(text, from, to, 'brand')
  const others = named.flatMap((span) => span.ids).filter((id) => !ids.includes(id))
  const isSame = named.some((span) => span.ids.some((id) => ids.includes(id)))
  return {
    ids,
    name: ids[0] === undefined ? null : (brands.find(ids[0])?.name ?? null),
    others,
    isForeign: own === undefined ? ids.length === 0 && all.length > 0 : own.length === 0,
    hasForeign: all.some((span) => span.ids.length === 0 && !span.isShort),
    isContradicted: own !== undefined && named.some(({ isShort }) => !isShort) && !isSame,
  }
}

/** The brand that the request names, perhaps mistyped. */
function requestedIds(index: WatchIndex, written: string): readonly number[] {
  const ids = index.brands.idsOf(written)
  if (ids.length > 0) return ids
  const { byLetters, similar } = knownBrands(index)
  const letters = foldLetters(written)
  if (byLetters.has(letters) || letters.length < similarMin) return []
  return byLetters.get(similar(letters)[0] ?? '') ?? []
}

/** Whether a word of three letters or more is the name of a brand. */
export function isBrandName(index: WatchIndex, letters: string): boolean {
  return letters.length > initialsMax && knownBrands(index).byLetters.has(letters)
}

function knownBrands(index: WatchIndex): KnownBrands {
  const names = known.get(index.brands) ?? openBrands(index)
  known.set(index.brands, names)
  return names
}

interface Span {
  readonly from: number
  readonly to: number
  readonly ids: readonly number[]
  readonly isShort: boolean
}

function spansIn({ words, shown }: TitleText, { byLetters, beginnings }: KnownBrands): Span[] {
  const spans: Span[] = []
  const isShouted = !/[a-z]/.test(shown)
  for (let at = 0; at < words.length; at++) {
    let found: { span: Span; next: number } | undefined
    let letters = ''
    for (let to = at; to < Math.min(words.length, at + wordsMax); to++) {
      const last = words[to] as (typeof words)[number]
      const isJoining = to > at && /^(?:and|und|et)$/.test(last.word)
      if (isJoining) continue
      letters += last.word
      if (!beginnings.has(letters)) break
      const ids = byLetters.get(letters)
      if (ids === undefined) continue
      const [from, end] = [(words[at] as typeof last).from, last.to]
      const written = shown.slice(from, end)
      const isShort = letters.length <= initialsMax
      // `DW-5600E` is no Daniel Wellington.
      if (isShort && /^[-./]\d/.test(shown.slice(end))) continue
      // `GO` and `UN` are words, too; where all letters are capitals, only the first word may be initials.
      const isInitials =
        written === written.toUpperCase() && /[A-Z]/.test(written) && (!isShouted || at === 0)
      const isStart =
        at === 0 || /^[^\p{L}\p{N}]*(?:wts|fs|ft|wtb)?[^\p{L}\p{N}]*$/iu.test(shown.slice(0, from))
      if (!isShort || isInitials || (isStart && !noiseWords.has(letters)))
        found = { span: { from, to: end, ids, isShort }, next: to }
    }
    if (found === undefined) continue
    spans.push(found.span)
    at = found.next
  }
  return spans
}

/** The words that may be a mistyped brand, alone or with the next one. */
function similarSpans(index: WatchIndex, { words }: TitleText, names: KnownBrands): Span[] {
  for (let at = 0; at < words.length; at++) {
    for (const to of [at + 1, at]) {
      const last = words[to]
      if (last === undefined) continue
      const [first] = [words[at] as typeof last]
      const letters = to === at ? first.word : first.word + last.word
      if (letters.length < similarMin || /\d/.test(letters) || noiseWords.has(letters)) continue
      // `Alpine` is in the name of a collection, and no mistyped brand.
      if (hasTerms(index, letters)) continue
      const [similar] = names.similar(letters)
      const ids = similar === undefined ? undefined : names.byLetters.get(similar)
      if (ids !== undefined && ids.length > 0) return [{ from: first.from, to: last.to, ids, isShort: false }]
    }
  }
  return []
}

/** The words of a title have lost the marks of Japanese letters, too. */
function lettersOf(name: string): Set<string> {
  return new Set([foldBrand(name), foldLetters(name)])
}

function openBrands({ brands, vocabulary }: WatchIndex): KnownBrands {
  const byLetters = new Map<string, readonly number[]>()
  // Brands that the catalogue does not have are known by their short names: theirs are no watches of another.
  for (const group of vocabulary.nicknames.brands) {
    const ids = group.map((name) => brands.idsOf(name)).find((found) => found.length > 0) ?? []
    for (const name of group) for (const letters of lettersOf(name)) byLetters.set(letters, ids)
  }
  for (const { name, slug, aliases } of brands.rows) {
    for (const each of [name, slug, ...(JSON.parse(aliases) as string[])])
      for (const letters of lettersOf(each)) byLetters.set(letters, brands.idsOf(each))
  }
  byLetters.delete('')
  const names = [...byLetters.keys()].filter((letters) => letters.length >= similarMin)
  const textOf = (at: number) => names[at] as string
  const spelling = packSpelling(new MemoryBlocks(), names.keys(), textOf)
  const beginnings = new Set<string>()
  for (const letters of byLetters.keys()) {
    for (let length = 1; length <= letters.length; length++) beginnings.add(letters.slice(0, length))
  }
  return {
    byLetters,
    beginnings,
    similar: (word) =>
      findSimilar(spelling, word, { max: mistakesIn(word), isPrefix: false }, { textOf, added: [] }).map(
        (one) => one.word,
      ),
  }
}
