// Ranks the watches that match the text of `q`, by rules that are applied one after the other: a watch that fits a rule
// comes before those that do not, and the next rule decides among equals. Watches that are equal by all rules are in
// order of id. A page is found by dividing the set of matches, without looking at single watches.
//
// 1. The reference is one that the text names in whole.
// 2. Brand and collection are named exactly, or else one of them; a longer name before a shorter one.
// 3. Words such as `watch`, which need not match, match.
// 4. The words match as a whole: a nickname rather than its words, a word rather than the beginning of a longer one or a
//    filter that it stands for.
// 5. All words are in brand, collection, reference or nickname, not in specs.
import { foldLetters } from '../../specs/fold.ts'
import { exactTerm } from '../../specs/vocabulary.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { brandKind, collectionKind, collectionWordsTerm } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { pageOf, type WatchSet } from '../sets/watch-set.ts'
import type { MeaningSets } from '../text/meaning-sets.ts'
import { exactReference, groupMax, type Meaning, termsOfRarest } from '../text/meanings.ts'
import type { Part } from '../text/parts.ts'
import type { TextReading } from '../text/read-text.ts'

/**
 * The sets of one rule: members of the first come first, then those of the second, then all others. Only the members of
 * `within` matter.
 */
type Rule = (within: WatchSet) => readonly WatchSet[]

/** The first letters of the terms of brands and of collections as they are written. */
const nameKinds: ReadonlySet<number> = new Set([brandKind, collectionKind])
const collectionKinds: ReadonlySet<number> = new Set([collectionKind])
/** Names of a rare word that are compared letter by letter: one may be written with accents. */
const comparedMax = 60
/** What is usually between the words of a name: `Day-Date`. */
const betweenWords = [' ', '-', '']
/** A word that so many names have tells no more there than elsewhere. */
const namesMax = 400
/** Corrections of one word that are compared with names. */
const correctionsMax = 3

/** Returns the ordinals of the page that begins at `start`, the best matches first. */
export function rankMatches(
  index: WatchIndex,
  matches: WatchSet,
  reading: TextReading,
  sets: MeaningSets,
  start: number,
  length: number,
): Uint32Array {
  const page = new Uint32Array(Math.max(0, Math.min(length, matches.count - start)))
  let [written, skip] = [0, start]
  for (const bucket of bucketsOf(sets.settled(matches), rulesOf(index, reading, sets), sets)) {
    if (written === page.length) break
    if (skip >= bucket.count) {
      skip -= bucket.count
      continue
    }
    const members = pageOf(index.postings.slots, bucket, skip, page.length - written)
    page.set(members, written)
    written += members.length
    skip = 0
  }
  return page
}

/** Divides the set by the rules, the best bucket first. Later buckets are made only if they are asked for. */
function* bucketsOf(set: WatchSet, rules: readonly Rule[], sets: MeaningSets): Generator<WatchSet> {
  const [rule, ...others] = rules
  if (set.count === 0) return
  if (rule === undefined || set.count === 1) {
    yield set
    return
  }
  let rest = set
  for (const level of rule(set)) {
    if (level.count === 0 || rest.count === 0) continue
    const inside = sets.both([rest, level])
    if (inside.count === 0) continue
    yield* bucketsOf(inside, others, sets)
    rest = inside.count === rest.count ? inside : sets.without(rest, level)
    if (inside === rest) return
  }
  yield* bucketsOf(rest, others, sets)
}

function rulesOf(index: WatchIndex, reading: TextReading, sets: MeaningSets): Rule[] {
  const { parts, extras } = reading
  return [
    () => [sets.any(referencesIn(parts).map((folded) => sets.ofReference(folded, false)))],
    (within) => namedSets(index, parts, sets, within),
    () => (extras.length === 0 ? [] : [sets.all(extras)]),
    () => {
      const whole = parts.map(wholePart)
      return whole.every((part, at) => part === parts[at]) ? [] : [sets.all(whole)]
    },
    (within) => {
      const others = parts.filter((part) => !hasOnlyNames(index, part))
      return others.length === 0 ? [] : [sets.both(others.map((part) => nameSet(index, part, sets, within)))]
    },
  ]

  function referencesIn(kept: readonly Part[]): string[] {
    const letters = spansOf(kept).map((span) => span.map(({ written }) => foldLetters(written)).join(''))
    return [...new Set(letters)]
      .map((own) => exactReference(index, own))
      .filter((folded) => folded !== undefined)
  }
}

/** The watches of a brand and a collection that the text names, the longest name first, then those of one of them. */
function namedSets(
  index: WatchIndex,
  parts: readonly Part[],
  sets: MeaningSets,
  within: WatchSet,
): readonly WatchSet[] {
  const said = new Set<string>()
  const brands: number[] = []
  const byLength = new Map<number, number[]>()
  for (const span of spansOf(parts)) {
    for (const words of phrasesOf(span)) {
      // A text may repeat its words.
      const phrase = words.join(' ')
      if (said.has(phrase)) continue
      said.add(phrase)
      brands.push(...index.brands.idsOf(phrase))
      const terms = collectionTerms(index, words)
      if (terms.length > 0) byLength.getOrInsertComputed(words.length, () => []).push(...terms)
    }
  }
  const ofBrands = sets.ofBrands([...new Set(brands)])
  const ofCollections = [...byLength]
    .sort(([one], [other]) => other - one)
    .map(([, terms]) => sets.ofTerms([...new Set(terms)], within))
  return [...ofCollections.map((set) => sets.both([ofBrands, set])), ...ofCollections, ofBrands]
}

/** The terms of collections that have just this name, with whatever is between its words. */
function collectionTerms(index: WatchIndex, words: readonly string[]): number[] {
  const usual = [...new Set(betweenWords.map((between) => words.join(between)))]
    .map((text) => index.dictionary.find(collectionWordsTerm(exactTerm(text))))
    .filter((term) => term !== undefined)
  if (usual.length > 0) return usual
  const letters = words.join('')
  return Array.from(termsOfRarest(index, words, collectionKinds, comparedMax))
    .filter(([, text]) => foldLetters(text) === letters)
    .map(([term]) => term)
}

/** The words of neighbouring parts, a mistyped one in each of its corrections. */
function phrasesOf(span: readonly Part[]): string[][] {
  let phrases: string[][] = [[]]
  for (const part of span) {
    const own = wordsOf(part)
    phrases = phrases.flatMap((phrase) => own.map((words) => [...phrase, ...words])).slice(0, correctionsMax)
  }
  return phrases
}

function wordsOf({ meanings, written, inner }: Part): string[][] {
  const typo = meanings.find(({ kind }) => kind === 'typo')
  if (typo?.kind === 'typo') return typo.words.slice(0, correctionsMax).map((word) => [word])
  const split = meanings.find(({ kind }) => kind === 'split')
  if (split?.kind === 'split') return [[...split.words]]
  const joined = inner.length > 0 ? meanings.find(({ kind }) => kind === 'word') : undefined
  if (joined?.kind === 'word') return [[...joined.words]]
  const word = meanings.find(({ kind }) => kind === 'word')
  // Other spellings of it: `II` for `2`.
  if (word?.kind === 'word' && word.words.length > 0) return word.words.map((one) => [one])
  return [written.split(/[^\p{L}\p{N}]+/u).filter(Boolean)]
}

/** Each run of neighbouring parts: a name may take several. */
function spansOf(parts: readonly Part[]): (readonly Part[])[] {
  const spans: (readonly Part[])[] = []
  for (let from = 0; from < parts.length; from++) {
    for (let to = from + 1; to <= Math.min(parts.length, from + groupMax); to++) {
      const isGap = to - from > 1 && (parts[to - 1] as Part).from !== (parts[to - 2] as Part).to
      if (isGap) break
      spans.push(parts.slice(from, to))
    }
  }
  return spans
}

/** A group of words as a whole, a word in whole, and both rather than a filter that they stand for. */
function wholePart(part: Part): Part {
  const meanings = part.meanings.flatMap((meaning) => {
    if (meaning.kind === 'filter' && meaning.isEveryday && part.inner.length === 0) return []
    if (meaning.kind !== 'word' || meaning.prefix === undefined || meaning.words.length === 0)
      return [meaning]
    return [{ ...meaning, prefix: undefined }]
  })
  const isSame = part.inner.length === 0 && meanings.every((meaning, at) => meaning === part.meanings[at])
  return isSame && meanings.length === part.meanings.length ? part : { ...part, meanings, inner: [] }
}

/** Whether every watch that fits the part has it in a name. */
function hasOnlyNames({ dictionary }: WatchIndex, { meanings, inner }: Part): boolean {
  if (inner.length > 0) return false
  return meanings.every((meaning) => {
    if (meaning.kind === 'brand' || meaning.kind === 'reference' || meaning.kind === 'nickname') return true
    if (meaning.kind !== 'word' && meaning.kind !== 'typo') return false
    if (meaning.kind === 'word' && meaning.prefix !== undefined) return false
    const lists = meaning.words.flatMap((word) => dictionary.termsOf(word))
    return lists.every((terms) => terms.every((term: number) => isName(dictionary, term)))
  })
}

/** The watches that have the part in a name. */
function nameSet(index: WatchIndex, part: Part, sets: MeaningSets, within: WatchSet): WatchSet {
  const own = part.meanings.map((meaning) => namesOf(index, meaning, sets, within))
  if (part.inner.length > 0)
    own.push(sets.both(part.inner.map((inner) => nameSet(index, inner, sets, within))))
  return sets.any(own)
}

function namesOf(index: WatchIndex, meaning: Meaning, sets: MeaningSets, within: WatchSet): WatchSet {
  const { dictionary } = index
  switch (meaning.kind) {
    case 'word':
    case 'typo': {
      const own = meaning.words.map((word) => sets.ofReference(word, false))
      // A beginning counts only where there is no such word: it may have thousands of terms.
      if (meaning.kind === 'word' && meaning.words.length === 0 && meaning.prefix !== undefined) {
        const names = namesIn(dictionary, dictionary.termsWithWord(meaning.prefix, true))
        return names.length > namesMax ? sets.ofMeaning(meaning) : sets.ofTerms(names, within)
      }
      const names = meaning.words.map((word) => ({
        word,
        terms: namesIn(dictionary, dictionary.termsOf(word)),
      }))
      if (names.reduce((sum, { terms }) => sum + terms.length, 0) > namesMax) return sets.ofMeaning(meaning)
      return sets.any([...names.map(({ word, terms }) => sets.named(`name ${word}`, terms)), ...own])
    }
    case 'split':
      return sets.ofTerms(namesIn(dictionary, [meaning.terms]), within)
    case 'brand':
    case 'reference':
    case 'nickname':
      return sets.ofMeaning(meaning)
    default:
      return sets.any([])
  }
}

/** The terms of brands and collections. Reads no text: a beginning may have thousands of terms. */
function namesIn(dictionary: Dictionary, lists: readonly Iterable<number>[]): number[] {
  return lists.flatMap((terms) => [...terms].filter((term) => isName(dictionary, term)))
}

function isName(dictionary: Dictionary, term: number): boolean {
  return nameKinds.has(dictionary.unit(term, 0))
}
