// Finds the few watches that the words of a title may mean, by sets alone: those of the brand with a nickname or a
// collection that the title names, narrowed by size and colour where they are many.
import { foldWords } from '../../specs/fold.ts'
import type { Nickname } from '../../specs/nicknames.ts'
import { brandTerm, collectionIn, collectionKind, keyOf, specTerm } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { emptySet, hasOrdinal, pageOf, type WatchSet } from '../sets/watch-set.ts'
import { lookupsOf } from '../text/lookups.ts'
import type { MeaningSets } from '../text/meaning-sets.ts'
import type { FoundBrands } from './find-brand.ts'
import type { Evidence } from './read-evidence.ts'
import { isSame } from './same-word.ts'
import type { TitleText, Word } from './title-text.ts'
import { noiseWords } from './title-words.ts'

export interface NamedNickname {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly set: WatchSet
  /** Whether it stands for references, and not for whole collections. */
  readonly isNarrow: boolean
  /** Whether it stands for one reference alone. */
  readonly isSingle: boolean
  /** The references that it stands for, or how they begin; folded. */
  readonly references: readonly string[]
}

interface NameSets {
  readonly nicknames: readonly NamedNickname[]
  /** Ordinals of the watches to compare with the title. */
  readonly candidates: readonly number[]
  /** The watches that they were taken from. */
  readonly count: number
}

interface KnownCollection {
  readonly term: number
  readonly words: readonly string[]
}

/** Watches that are compared with the title word by word: each must be parsed. */
export const comparedMax = 10
/** Of more than this, the candidates are examples: to compare others as well would find no better ones. */
const crowdedMin = 50
const examplesMax = 5
const nicknameWordsMax = 4
const shortNicknameMax = 3
const betweenParts = /[,;|:()[\]•*]/
/** Different nicknames that are looked up in a title at most. */
const nicknamesMax = 12
const scatteredMax = 20
const collectionsMax = 2_000
const keptBrandsMax = 500
/** Collections of a rare word that are looked at where no brand is named. */
const termsMax = 60
/** Shorter names are also parts of other words. */
const joinedMin = 5
/** Words of a title that are compared with names letter by letter. */
const saidMax = 40
const keysMax = 1_000

interface Kept {
  readonly version: string
  readonly collections: Map<number, readonly KnownCollection[]>
  readonly nicknames: Map<number, readonly ScatteredNickname[]>
  readonly sizeKeys: readonly string[]
  readonly dialKeys: readonly string[]
}
const kept = new WeakMap<WatchIndex, Kept>()

export function findByNames(
  index: WatchIndex,
  sets: MeaningSets,
  text: TitleText,
  brands: FoundBrands,
  evidence: Evidence,
  aliases: readonly NamedNickname[],
): NameSets {
  const ids = [...brands.ids, ...brands.others]
  const found = nicknamesIn(index, sets, text, ids)
  const scattered = aliases.filter(
    (alias) => !found.some(({ from, to }) => from <= alias.from && alias.to <= to),
  )
  const nicknames = [...scattered, ...found]
  const ofBrand = ids.length === 0 ? undefined : sets.ofBrands(ids)
  if (ofBrand !== undefined && ofBrand.count <= comparedMax) return { nicknames, ...taken(index, ofBrand) }
  const { full, partial } =
    ofBrand === undefined
      ? collectionsAnywhere(index, text, evidence)
      : collectionsOf(index, ids, text, evidence)
  const { postings } = index
  const collections = sets.any((full.length > 0 ? full : partial).map((term) => postings.get(term)))
  // `Black Bay 58` tells more than the collection `Black Bay` that it contains.
  const named = [...nicknames]
    .sort((one, other) => other.name.length - one.name.length)
    .map((nickname) => nickname.set)
    .concat(collections)
    .filter(({ count }) => count > 0)
  let set = named.length === 0 ? emptySet : (ofBrand ?? sets.any(named))
  for (const by of named) set = narrowed(sets, set, by)
  for (const by of attributeSets(index, sets, evidence)) {
    if (set.count <= comparedMax) break
    set = narrowed(sets, set, by)
  }
  return { nicknames, ...taken(index, set) }
}

function narrowed(sets: MeaningSets, set: WatchSet, by: WatchSet): WatchSet {
  if (by.count === 0) return set
  const both = sets.both([set, by])
  return both.count === 0 ? set : both
}

function taken(index: WatchIndex, set: WatchSet): { candidates: number[]; count: number } {
  const max = set.count > crowdedMin ? examplesMax : comparedMax
  return { candidates: [...pageOf(index.postings.slots, set, 0, max)], count: set.count }
}

/** The longest nicknames in the text, of the brand if one is named. */
export function nicknamesIn(
  index: WatchIndex,
  sets: MeaningSets,
  { words, shown }: TitleText,
  ids: readonly number[],
): NamedNickname[] {
  const { nicknames } = lookupsOf(index.vocabulary)
  const found: NamedNickname[] = []
  const opened = new Map<string, NamedNickname>()
  for (let at = 0; at < words.length && opened.size < nicknamesMax; at++) {
    let best: { nickname: NamedNickname; to: number } | undefined
    let letters = ''
    for (let to = at; to < Math.min(words.length, at + nicknameWordsMax); to++) {
      const word = words[to] as Word
      if (word.role !== undefined && word.role !== 'brand' && word.role !== 'noise') break
      // `Black, steel` is no `Black Steel`.
      if (to > at && betweenParts.test(shown.slice((words[to - 1] as Word).to, word.from))) break
      letters += word.word
      const known = nicknames.get(letters)?.filter((one) => isOfBrand(index, one, ids))
      if (
        known === undefined ||
        known.length === 0 ||
        (to === at && noiseWords.has(letters) && ids.length === 0)
      )
        continue
      const from = (words[at] as Word).from
      const name = shown.slice(from, word.to)
      const open = opened.getOrInsertComputed(letters, () =>
        openNickname(sets, known, { name, from, to: word.to }),
      )
      best = { nickname: { ...open, name, from, to: word.to }, to }
    }
    if (best === undefined) continue
    found.push(best.nickname)
    at = best.to
  }
  return found
}

/** A nickname that a size may be joined to, as in `OP41`. */
export function isShortNickname({ vocabulary }: WatchIndex, word: string): boolean {
  return word.length <= shortNicknameMax && lookupsOf(vocabulary).nicknames.has(word)
}

function openNickname(
  sets: MeaningSets,
  nicknames: readonly Nickname[],
  place: { readonly name: string; readonly from: number; readonly to: number },
): NamedNickname {
  const targets = nicknames.flatMap((one) => one.targets)
  const isNarrow = targets.every(({ kind }) => kind === 'reference')
  return {
    ...place,
    set: sets.settled(sets.ofMeaning({ kind: 'nickname', name: place.name, nicknames })),
    isNarrow,
    isSingle:
      isNarrow && targets.length === 1 && targets.every((one) => one.kind === 'reference' && !one.isPrefix),
    references: targets.flatMap((one) => (one.kind === 'reference' ? [one.folded] : [])),
  }
}

/** The nicknames of the brand whose words stand in the text, in any order, or are implied: `5711 Tiffany`. */
export function scatteredNicknames(
  index: WatchIndex,
  { words }: TitleText,
  ids: readonly number[],
  implied: readonly string[] = [],
): readonly ScatteredNickname[] {
  if (ids.length === 0) return []
  const said = new Set(words.map(({ word }) => word))
  return ids
    .flatMap((id) => namesOfBrand(index, id))
    .filter(
      (one) =>
        one.words.every((word) => said.has(word) || implied.includes(word)) &&
        one.words.some((word) => said.has(word) && !implied.includes(word)),
    )
    .slice(0, scatteredMax)
}

export interface ScatteredNickname {
  readonly words: readonly string[]
  readonly nickname: Nickname
}

function namesOfBrand(index: WatchIndex, id: number): readonly ScatteredNickname[] {
  return keptOf(index).nicknames.getOrInsertComputed(id, () =>
    index.brands
      .nicknamesOf(id)
      .flatMap((nickname) => nickname.names.map((name) => ({ words: foldWords(name), nickname }))),
  )
}

/** The nickname that a text which looks like a reference is part of: `A384`, or `806` of `806 Re-Edition`. */
export function nicknameAt(
  sets: MeaningSets,
  scattered: readonly ScatteredNickname[],
  { from, to, written }: { readonly from: number; readonly to: number; readonly written: string },
): NamedNickname | undefined {
  const own = foldWords(written)
  const named = scattered.filter(({ words }) => own.every((word) => words.includes(word)))
  const found = openNickname(
    sets,
    named.map(({ nickname }) => nickname),
    { name: written, from, to },
  )
  return named.length > 0 && found.isNarrow && found.set.count > 0 ? found : undefined
}

function isOfBrand({ brands }: WatchIndex, nickname: Nickname, ids: readonly number[]): boolean {
  return ids.length === 0 || ids.some((id) => brands.nicknamesOf(id).includes(nickname))
}

interface Collections {
  readonly full: readonly number[]
  readonly partial: readonly number[]
}

/** The terms of the brand's collections whose name is in the text in whole, and those of which a word is. */
function collectionsOf(
  index: WatchIndex,
  ids: readonly number[],
  { words }: TitleText,
  { names }: Evidence,
): Collections {
  const all = new Set(words.map(({ word }) => word))
  const telling = new Set(names.map(({ word }) => word))
  const full: KnownCollection[] = []
  const partial: number[] = []
  const own = ids.flatMap((id) => knownCollections(index, id))
  for (const collection of own) {
    if (collection.words.every((word) => all.has(word))) full.push(collection)
    else if (collection.words.some((word) => telling.has(word))) partial.push(collection.term)
  }
  if (full.length + partial.length === 0) {
    const like = collectionsLike(own, words)
    return { full: [], partial: like.map(({ term }) => term) }
  }
  // A longer name says more than one that it contains.
  const longest = full.filter(
    ({ words: own }) =>
      !full.some(
        (other) => other.words.length > own.length && own.every((word) => other.words.includes(word)),
      ),
  )
  return { full: (longest.length > 0 ? longest : full).map(({ term }) => term), partial }
}

/** The collections whose name is written otherwise: `Yachtmaster`, `Date Just`, `Pelagios`, `Pilot's Watch`. */
function collectionsLike(
  collections: readonly KnownCollection[],
  words: readonly Word[],
): readonly KnownCollection[] {
  const said = words.slice(0, saidMax).map(({ word }) => word)
  const letters = said.join('')
  const joined = collections.filter(({ words: own }) => {
    const name = own.join('')
    return name.length >= joinedMin && letters.includes(name)
  })
  if (joined.length > 0) return joined
  const similar = (own: readonly string[]) =>
    own.some((word) => word.length >= joinedMin && said.some((one) => isSame(one, word)))
  return collections.filter(({ words: own }) => similar(own))
}

function knownCollections(index: WatchIndex, id: number): readonly KnownCollection[] {
  const { collections } = keptOf(index)
  return collections.getOrInsertComputed(id, () => {
    const { dictionary } = index
    const terms = dictionary.valuesOf(dictionary.find(brandTerm(id))).subarray(0, collectionsMax)
    return Array.from(terms, (term) => ({ term, words: foldWords(collectionIn(dictionary.text(term))) }))
  })
}

/** Whether a number is the name of a collection, as in `Luminor 1950`. */
export function isCollectionWord(index: WatchIndex, ids: readonly number[], word: string): boolean {
  return ids.some((id) => knownCollections(index, id).some(({ words }) => words.includes(word)))
}

/** Without a brand: the collections of any brand with a word of the text in their name. */
function collectionsAnywhere(
  { dictionary }: WatchIndex,
  { words }: TitleText,
  { names }: Evidence,
): Collections {
  const all = new Set(words.map(({ word }) => word))
  const full: number[] = []
  const partial: number[] = []
  for (const { word } of names) {
    const terms = dictionary.termsOf(word).flatMap((list) => [...list.slice(0, termsMax)])
    for (const term of terms) {
      if (dictionary.unit(term, 0) !== collectionKind) continue
      const own = foldWords(dictionary.text(term).slice(2))
      if (own.every((each) => all.has(each))) full.push(term)
      else partial.push(term)
    }
  }
  return { full: [...new Set(full)], partial: [...new Set(partial)] }
}

/** The watches with the sizes and colours of the text. */
function* attributeSets(index: WatchIndex, sets: MeaningSets, evidence: Evidence): Generator<WatchSet> {
  const { sizeKeys, dialKeys } = keptOf(index)
  const ofValues = (keys: readonly string[], values: readonly string[]) =>
    sets.any(
      keys.flatMap((key) =>
        values.map((value) =>
          index.postings.get(index.dictionary.find(specTerm(key, index.read(key, value).term))),
        ),
      ),
    )
  const sizes = evidence.sizes.length > 0 ? evidence.sizes : evidence.bareSizes
  if (sizes.length > 0)
    yield ofValues(
      sizeKeys,
      sizes.map((size) => `${size} mm`),
    )
  const colors = [...evidence.dials, ...evidence.colors]
  if (colors.length > 0) yield ofValues(dialKeys, colors)
}

function keptOf(index: WatchIndex): Kept {
  const known = kept.get(index)
  if (known?.version === index.version && known.collections.size + known.nicknames.size < keptBrandsMax)
    return known
  const keys = Array.from(index.dictionary.keys.slice(0, keysMax), (term) =>
    keyOf(index.dictionary.text(term)),
  )
  const made: Kept = {
    version: index.version,
    collections: new Map(),
    nicknames: new Map(),
    sizeKeys: keys.filter((key) => /diameter|case_size/.test(key)).slice(0, 3),
    dialKeys: keys.filter((key) => /^dial(?:_colou?r)?$/.test(key)).slice(0, 3),
  }
  kept.set(index, made)
  return made
}

export function isCalled({ postings }: WatchIndex, { set }: NamedNickname, ordinal: number): boolean {
  return hasOrdinal(postings.slots, set, ordinal)
}
