// Resolves a dealer's title: which watches of the catalogue it may be, and how sure that is. A printed reference decides
// first; without one, the words must leave a single watch. What the catalogue may not have is never guessed.
import type { WatchIndex } from '../index/watch-index.ts'
import type { Select } from '../text/find-text.ts'
import { MeaningSets } from '../text/meaning-sets.ts'
import { type Comparison, compareWith } from './compare.ts'
import { type FoundBrands, findBrands, isBrandName } from './find-brand.ts'
import { findReferences, type PrintedReference } from './find-references.ts'
import { brandsOfReferences } from './infer-brand.ts'
import {
  hasKin,
  hasOtherReference,
  type KnownReferences,
  openReferences,
  siblingsOf,
} from './known-references.ts'
import {
  comparedMax,
  findByNames,
  isCollectionWord,
  isShortNickname,
  type NamedNickname,
  nicknameAt,
  nicknamesIn,
  type ScatteredNickname,
  scatteredNicknames,
} from './name-sets.ts'
import { isAboutOtherGoods } from './other-goods.ts'
import { rankByWords } from './rank-by-words.ts'
import { rankReferences } from './rank-references.ts'
import { candidatesMax, type Ranked } from './ranked.ts'
import { readScope, type Scope } from './read-condition.ts'
import { type Evidence, readEvidence } from './read-evidence.ts'
import { type Price, readNumbers, readYear } from './read-numbers.ts'
import { isReferenceWord, mark, openTitle, type TitleText } from './title-text.ts'
import { homage, offeredFor, severalGoods, tradedFor } from './title-words.ts'
import { factsOf, type WatchFacts } from './watch-facts.ts'

export interface Title {
  readonly text: string
  readonly brand?: string | undefined
  readonly price?: number | undefined
}

/** Only `exact` and `likely` claim that the first candidate is the watch. */
export const matches = ['exact', 'likely', 'ambiguous', 'none'] as const
type Match = (typeof matches)[number]

export interface Candidate {
  readonly ordinal: number
  readonly confidence: number
  readonly reasons: readonly string[]
}

interface ReadTitle {
  readonly brand: string | null
  /** As it is printed, even if the catalogue does not have it. */
  readonly reference: string | null
  readonly year: number | null
  readonly condition: string | null
  readonly box: boolean | null
  readonly papers: boolean | null
  readonly price: number | null
  readonly currency: string | null
}

export interface Resolution {
  readonly match: Match
  readonly candidates: readonly Candidate[]
  readonly read: ReadTitle
}

/** What is not the watch itself, or several, is never claimed. */
const otherGoodsConfidence = 0.25
const contradictedConfidence = 0.5
/** A price within this factor of a candidate's speaks for it. */
const nearPrice = 3
const otherBrandsMax = 2
const roundedTo = 1_000
/** What is less likely is no candidate. */
const confidenceMin = 0.005

/** Sets are valid until the caller frees the slots of the result cache. */
export function resolveTitle(index: WatchIndex, select: Select, title: Title): Resolution {
  const text = openTitle(title.text, (word, digits) =>
    digits === 2 ? isShortNickname(index, word) : isReferenceWord(word, digits) || isBrandName(index, word),
  )
  const price = readNumbers(text)
  const brands = withInferred(index, text, findBrands(index, text, title.brand))
  const ids = [...brands.ids, ...brands.others]
  const sets = new MeaningSets(index, select)
  const scattered = scatteredNicknames(index, text, ids)
  const { known, printed, aliases } = withoutNames(index, sets, scattered, findPrinted(index, text, brands))
  for (const { from, to } of printed) relabel(text, from, to)
  const year = readYear(text, (word) => isCollectionWord(index, ids, word)) ?? null
  const scope = readScope(text)
  const evidence = readEvidence(text, (word) => isCollectionWord(index, ids, word))
  const facts = new Map<number, WatchFacts>()
  const factsAt = (ordinal: number) => facts.getOrInsertComputed(ordinal, () => factsOf(index, ordinal))
  const reasonsOf = (one: Comparison) => [...brandReason(index, ids, one.facts), ...one.reasons]

  const ranked = rank()
  const { candidates } = withPrice(ranked, title.price ?? price?.value, factsAt)
  const isOther = isAboutOtherGoods(text, printed, { scope, year, price: price?.value })
  const restrained = restrain(index, { match: ranked.match, candidates }, text, {
    brands,
    evidence,
    printed,
    isOther,
  })
  return {
    ...restrained,
    candidates: restrained.candidates
      .slice(0, candidatesMax)
      .filter(({ confidence }, at) => at === 0 || confidence >= confidenceMin)
      .map((one) => ({ ...one, confidence: Math.round(one.confidence * roundedTo) / roundedTo })),
    read: readOf(index, brands, printed, restrained, { year, ...scope }, price),
  }

  function rank(): Ranked {
    if (printed.length > 0) {
      const nicknames = nicknamesIn(index, sets, text, ids)
      const compare = (ordinal: number) =>
        withBrand(compareWith(index, { evidence, nicknames, year }, factsAt(ordinal)))
      const isListed = isLineOfList(text, printed, { scope, year, price })
      const byReference = rankReferences(index, text, { printed, known, nicknames, isListed }, compare)
      if (byReference !== undefined) return byReference
    }
    if (brands.isForeign) return { match: 'none', candidates: [] }
    const { nicknames, candidates, count } = findByNames(index, sets, text, brands, evidence, aliases)
    const compared = candidates.map((ordinal) =>
      compareWith(index, { evidence, nicknames, year }, factsAt(ordinal)),
    )
    // What looks like a reference may be that of a watch which the catalogue lacks: its line must be named as well.
    const mayClaim = aliases.length === 0 || compared.some((one) => one.isCalledByTable && one.isOfCollection)
    const isComplete = count <= comparedMax && mayClaim
    return rankByWords(compared, isComplete, (ordinal) => hasKin(index, ordinal), reasonsOf)
  }

  function withBrand(one: Comparison): Comparison {
    return { ...one, reasons: [...brandReason(index, ids, one.facts), ...one.reasons] }
  }
}

/** The references of all brands that the title names: of both in `Omega x Swatch SO33M100`. */
function findPrinted(index: WatchIndex, text: TitleText, { ids, others }: FoundBrands) {
  const known = openReferences(index, [...ids, ...others])
  const printed = findReferences(index, text, known)
  for (const id of others.slice(0, otherBrandsMax)) {
    for (const one of findReferences(index, text, openReferences(index, [id])))
      if (!printed.some(({ from, to }) => from < one.to && one.from < to)) printed.push(one)
  }
  return { known, printed }
}

/** Takes out what looks like a reference that the catalogue lacks, but is the name of watches that it has. */
function withoutNames(
  index: WatchIndex,
  sets: MeaningSets,
  scattered: readonly ScatteredNickname[],
  { known, printed }: { known: KnownReferences; printed: readonly PrintedReference[] },
) {
  const aliases: NamedNickname[] = []
  const kept = printed.filter((one) => {
    if (one.watches.length > 0 || scattered.length === 0) return true
    const alias = nicknameAt(sets, scattered, one)
    if (alias === undefined || siblingsOf(index, one.folded, one.match, known).variants.length > 0)
      return true
    aliases.push(alias)
    return false
  })
  return { known, printed: kept, aliases }
}

/** A reference tells the brand where the text does not. */
function withInferred(index: WatchIndex, text: TitleText, brands: FoundBrands): FoundBrands {
  if (brands.ids.length > 0 || brands.isForeign) return brands
  const ids = brandsOfReferences(index, text)
  return ids.length === 1 ? { ...brands, ids } : brands
}

/** Whether a reference begins the text, and a year, a price or the condition says that a watch is sold. */
function isLineOfList(
  { plain }: TitleText,
  [first]: readonly PrintedReference[],
  {
    scope,
    year,
    price,
  }: { readonly scope: Scope; readonly year: number | null; readonly price: Price | undefined },
): boolean {
  if (first === undefined || /[\p{L}\p{N}]/u.test(plain.slice(0, first.from))) return false
  return year !== null || price !== undefined || scope.condition !== null
}

function relabel(text: TitleText, from: number, to: number): void {
  for (const word of text.words) if (word.from < to && word.to > from) word.role = 'reference'
  mark(text, from, to, 'reference')
}

function brandReason({ brands }: WatchIndex, ids: readonly number[], { brandId }: WatchFacts): string[] {
  const name = ids.includes(brandId) ? brands.find(brandId)?.name : undefined
  return name === undefined ? [] : [`brand ${name}`]
}

/** Candidates that are as likely as each other are put in the order in which the price fits. */
function withPrice(
  { match, candidates }: Ranked,
  price: number | undefined,
  factsAt: (ordinal: number) => WatchFacts,
): Ranked {
  if (price === undefined || match === 'exact' || match === 'likely') return { match, candidates }
  const isNear = (ordinal: number) => {
    const own = factsAt(ordinal).price
    return own !== undefined && price <= own * nearPrice && own <= price * nearPrice
  }
  const ranked = candidates
    .map((one, at) => ({ one, at, isNear: isNear(one.ordinal) }))
    .sort(
      (a, b) =>
        Math.round((b.one.confidence - a.one.confidence) * 100) ||
        Number(b.isNear) - Number(a.isNear) ||
        a.at - b.at,
    )
  return { match, candidates: ranked.map(({ one }) => one) }
}

/** Whether the text is about a watch, and about one: not about a strap for it, nor about a pair. */
export function isOfOneWatch(written: string, reference: string): boolean {
  const text = openTitle(written)
  const price = readNumbers(text)?.value
  const from = text.shown.indexOf(reference)
  const places = from === -1 ? [] : [{ from, to: from + reference.length }]
  const year = readYear(text, () => false) ?? null
  if (isAboutOtherGoods(text, places, { scope: readScope(text), year, price })) return false
  return ![severalGoods, offeredFor, tradedFor].some((pattern) => pattern.test(text.plain))
}

interface Restraints {
  readonly brands: FoundBrands
  readonly evidence: Evidence
  readonly printed: readonly PrintedReference[]
  readonly isOther: boolean
}

/** Takes a claim back where the text is not about one watch of the catalogue. */
function restrain(
  index: WatchIndex,
  ranked: Ranked,
  text: TitleText,
  { brands, evidence, printed, isOther }: Restraints,
): Ranked {
  const { plain } = text
  const capped = (max: number) => {
    const sum = Math.max(max, ...ranked.candidates.map(({ confidence }) => confidence))
    return ranked.candidates.map((one) => ({ ...one, confidence: (one.confidence * max) / sum }))
  }
  // `Apollo 15 homage` of a maker that is named is its own watch.
  const isHomage = (brands.name === null || brands.hasForeign) && homage.test(plain)
  if (isOther || evidence.isResembling || isHomage)
    return { match: 'none', candidates: capped(otherGoodsConfidence) }
  const isClaimed = ranked.match === 'exact' || ranked.match === 'likely'
  if (!isClaimed) return ranked
  const isFollowed = printed.some((one) => one.isFollowed)
  const isBeside = printed.length > 0 && hasOtherReference(index, text, printed)
  const isOffered = printed.some(({ from }) => offeredFor.test(plain.slice(0, from)))
  if (
    isOffered ||
    isFollowed ||
    isBeside ||
    tradedFor.test(plain) ||
    severalGoods.test(plain) ||
    brands.isContradicted ||
    brands.isForeign ||
    brands.hasForeign
  )
    return { match: 'ambiguous', candidates: capped(contradictedConfidence) }
  return ranked
}

function readOf(
  index: WatchIndex,
  brands: FoundBrands,
  printed: readonly PrintedReference[],
  { match, candidates }: Ranked,
  read: Pick<ReadTitle, 'year' | 'condition' | 'box' | 'papers'>,
  price: Price | undefined,
): ReadTitle {
  const named =
    printed.find(({ watches }) => watches.length > 0) ??
    printed.find(({ isAnnounced }) => isAnnounced) ??
    printed[0]
  // The base often stands before the whole reference.
  const best =
    named?.watches.length === 0 ? printed.findLast(({ folded }) => folded.startsWith(named.folded)) : named
  const claimed = match === 'exact' || match === 'likely' ? candidates[0] : undefined
  const claimedBrand =
    claimed === undefined ? undefined : index.brands.find(index.columns.brandId(claimed.ordinal))?.name
  return {
    brand:
      claimedBrand ??
      brands.name ??
      (brands.ids[0] === undefined ? null : (index.brands.find(brands.ids[0])?.name ?? null)),
    reference: best?.written ?? null,
    ...read,
    price: price?.value ?? null,
    currency: price?.currency ?? null,
  }
}
