// Decides how the text of `q` is read: every part as it stands, if some watch has them all; else mistyped words are
// corrected, and last the least telling parts are dropped. The result is plain data, from which its set can be made
// again.
import { mistakesIn, type SimilarWord } from '../dictionary/similar-words.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter } from '../query/watch-query.ts'
import type { WatchSet } from '../sets/watch-set.ts'
import type { MeaningSets } from './meaning-sets.ts'
import { type Meaning, namedMeanings, splitMeaning, type Text, writtenAs } from './meanings.ts'
import { divideText, type Part } from './parts.ts'

export interface TextReading {
  /** Every watch that is found fits all of these; all watches are found if there is none of these and none dropped. */
  readonly parts: readonly Part[]
  /** Need not fit, but watches that fit them come first. */
  readonly extras: readonly Part[]
  /** No watch that is found fits these. */
  readonly dropped: readonly Part[]
}

/** Beginnings of words are completed from so many letters on, where the word itself is unknown. */
const completedMin = 3
const endings = ['e', 'er', 'es', 'en', 'em', 'ene', 'ener', 'enes', 'enen', 'enem']
const stemMin = 3
const hasLetter = /\p{L}/u
/** Corrections of one word that are named. */
const correctionsMax = 3
/** Fewer letters with a mistake are the beginning of too many words. */
const completedTypoMin = 6
/** A known word is corrected only to one that so many times as many watches have. */
const rareShare = 10
/** A size is found in watches that are so much larger or smaller, if no watch has just this one. */
const nearMm = 0.5
/** Of the weight of a word, if it is a correction, or if only its beginning is known: `retro` in `Retrograde`. */
const correctedShare = 0.75
const completedShare = 0.5
/** Up to this many parts, every choice of parts to drop is tried; beyond that, one part after the other. */
const triedPartsMax = 6
const triedMax = 80

export function readText(index: WatchIndex, plain: string, sets: MeaningSets): TextReading {
  const { text, parts: all } = divideText(index, plain)
  const understandable = all.flatMap((part) => (part.isFiller ? [part] : understood(index, text, part, sets)))
  const reading = decide(index, text, understandable, sets)
  if (reading.dropped.length === 0) return reading
  // Corrected words may mean something together: `speedmastr profesional`.
  const corrected = withCorrections(index, text, understandable)
  const again = corrected === undefined ? reading : decide(index, text, corrected, sets)
  return again.dropped.length < reading.dropped.length ? again : reading
}

function decide(
  index: WatchIndex,
  text: Text,
  understandable: readonly Part[],
  sets: MeaningSets,
): TextReading {
  const needed = understandable.filter(({ isFiller }) => !isFiller)
  const extras = understandable.filter(({ isFiller }) => isFiller)
  const known = needed.filter((part) => sets.ofPart(part).count > 0)
  const unknown = needed.filter((part) => sets.ofPart(part).count === 0)
  const parts = agreeing(index, text, known, sets)
  const dropped = [...unknown, ...known.filter((part) => !parts.some(({ from }) => from === part.from))]
  return { parts, extras, dropped }
}

/** The text divided again, with its mistyped words replaced; undefined if there are none. */
function withCorrections(index: WatchIndex, text: Text, parts: readonly Part[]): Part[] | undefined {
  const mistyped = parts.filter(({ corrected }) => corrected !== undefined)
  let { plain } = text
  for (const { from, to, corrected } of mistyped.toReversed()) {
    const [first, last] = [text.tokens[from], text.tokens[to - 1]]
    plain = plain.slice(0, first?.from) + (corrected?.[0] ?? '') + plain.slice(last?.to)
  }
  if (mistyped.length === 0) return undefined
  const again = divideText(index, plain)
  if (again.text.tokens.length !== text.tokens.length) return undefined
  return again.parts.map((part) => {
    const isCorrected = mistyped.some(({ from, to }) => from < part.to && part.from < to)
    const written = writtenAs(text, part.from, part.to)
    return isCorrected ? { ...part, written, corrected: [part.written] } : part
  })
}

/** A part that no watch has is corrected, or falls apart into its words. */
function understood(index: WatchIndex, text: Text, part: Part, sets: MeaningSets): Part[] {
  if (part.isFiller || sets.ofPart(part).count > 0) return [part]
  if (part.inner.length > 0) return part.inner.flatMap((inner) => understood(index, text, inner, sets))
  // Known by its nickname, but not in this catalogue: it is no other word.
  if (part.meanings.some(({ kind }) => kind === 'nickname')) return [part]
  return [
    inflected(index, text, part, sets) ??
      completed(part, sets) ??
      joined(index, part) ??
      similar(index, text, part, sets) ??
      part,
  ]
}

/** `Blauem` and `goldene`: German words without their endings. */
function inflected(index: WatchIndex, { lookups }: Text, part: Part, sets: MeaningSets): Part | undefined {
  for (const ending of endings) {
    const stem = part.written.slice(0, -ending.length)
    if (!part.written.endsWith(ending) || stem.length < stemMin || !hasLetter.test(stem)) continue
    const meanings: Meaning[] = [
      ...namedMeanings(index, lookups, stem),
      { kind: 'word', words: [stem], prefix: undefined },
    ]
    const fitting = meanings.filter((meaning) => sets.ofMeaning(meaning).count > 0)
    if (fitting.length > 0) return { ...part, meanings: fitting }
  }
  return undefined
}

/** A word of which some watch has the continuation. */
function completed(part: Part, sets: MeaningSets): Part | undefined {
  const { written } = part
  if (written.length < completedMin || !hasLetter.test(written)) return undefined
  const meaning: Meaning = { kind: 'word', words: [], prefix: written }
  return sets.ofMeaning(meaning).count > 0 ? { ...part, meanings: [meaning] } : undefined
}

/** One word for two. */
function joined(index: WatchIndex, part: Part): Part | undefined {
  const meaning = splitMeaning(index, part.written)
  return meaning === undefined ? undefined : { ...part, meanings: [meaning] }
}

/** The words and names with the fewest mistakes, then the words that begin so. */
function similar(
  index: WatchIndex,
  { lookups, similarWords }: Text,
  part: Part,
  sets: MeaningSets,
): Part | undefined {
  const { written } = part
  const max = mistakesIn(written)
  if (max === 0) return undefined
  for (const isPrefix of written.length < completedTypoMin ? [false] : [false, true]) {
    const words = similarWords(written, isPrefix)
    const names = isPrefix ? [] : lookups.similarNames(written, max)
    for (let distance = 1; distance <= max; distance++) {
      const near = (all: readonly SimilarWord[]) =>
        all
          .filter((one) => one.distance === distance)
          .map(({ word }) => word)
          .sort((one, other) => termsWith(index, other) - termsWith(index, one))
      const meanings: Meaning[] = [
        { kind: 'typo', words: near(words) },
        ...near(names).flatMap((name) => namedMeanings(index, lookups, name)),
      ]
      const fitting = meanings.filter((meaning) => sets.ofMeaning(meaning).count > 0)
      const corrected = [...new Set([...near(words), ...near(names)])].slice(0, correctionsMax)
      if (fitting.length > 0) return { ...part, meanings: fitting, corrected }
    }
  }
  return undefined
}

/** A word of many names and values is the likelier one: `steal` is rather `steel` than `seal`. */
function termsWith({ dictionary }: WatchIndex, word: string): number {
  return dictionary.termsOf(word).reduce((sum, { length }) => sum + length, 0)
}

/** Returns those of the parts, perhaps corrected, that some watch fits together. */
function agreeing(index: WatchIndex, text: Text, known: readonly Part[], sets: MeaningSets): readonly Part[] {
  if (known.length <= 1 || sets.all(known).count > 0) return known
  const near = known.map(widened)
  if (near.some((part, at) => part !== known[at]) && sets.all(near).count > 0) return near
  for (const [at, part] of known.entries()) {
    const corrected = correctedRare(text, part, sets)
    if (corrected === undefined) continue
    const parts = known.with(at, corrected)
    if (sets.all(parts).count > 0) return parts
  }
  return mostTelling(index, near, sets)
}

/** A size may differ a little. */
function widened(part: Part): Part {
  const meanings = part.meanings.map((meaning) => {
    if (meaning.kind !== 'filter' || meaning.filters.length !== 1) return meaning
    const [filter] = meaning.filters as [Filter]
    const [, number = '', unit] = /^([\d.,]+) ?(mm)$/.exec(filter.values[0] ?? '') ?? []
    if (filter.operator !== 'is' || unit === undefined) return meaning
    const middle = Number(number.replace(',', '.'))
    const bound = (operator: 'gte' | 'lte', value: number): Filter => ({
      ...filter,
      operator,
      values: [`${value} mm`],
    })
    return {
      ...meaning,
      filters: [bound('gte', middle - nearMm), bound('lte', middle + nearMm)],
    }
  })
  return meanings.some((meaning, at) => meaning !== part.meanings[at]) ? { ...part, meanings } : part
}

/** A word that hardly any watch has may itself be a mistake, as the same one in the catalogue. */
function correctedRare({ similarWords }: Text, part: Part, sets: MeaningSets): Part | undefined {
  const max = part.inner.length === 0 && part.meanings.length === 1 ? mistakesIn(part.written) : 0
  if (max === 0) return undefined
  const enough = sets.ofPart(part).count * rareShare
  const words = similarWords(part.written, false)
    .map(({ word }) => word)
    .filter((word) => sets.ofMeaning({ kind: 'typo', words: [word] }).count >= enough)
  if (words.length === 0) return undefined
  const corrected = words.slice(0, correctionsMax)
  return { ...part, meanings: [...part.meanings, { kind: 'typo', words }], corrected }
}

/** Drops as little as possible: what is kept tells the most together, of all choices that leave a watch. */
function mostTelling(index: WatchIndex, known: readonly Part[], sets: MeaningSets): readonly Part[] {
  const weighed = known
    .map((part) => ({ part, set: sets.ofPart(part), weight: weightOf(index, part, sets) }))
    .sort((one, other) => other.weight - one.weight)
  let best: { kept: readonly Part[]; weight: number } = { kept: [], weight: -1 }
  let tried = 0
  const choose = (at: number, kept: readonly Part[], set: WatchSet | undefined, weight: number) => {
    if (weight > best.weight) best = { kept, weight }
    const rest = weighed.slice(at).reduce((sum, one) => sum + one.weight, 0)
    const next = weighed[at]
    if (next === undefined || weight + rest <= best.weight || tried++ > triedMax) return
    const both = set === undefined ? next.set : sets.both([set, next.set])
    if (both.count > 0) choose(at + 1, [...kept, next.part], both, weight + next.weight)
    if (both.count === 0 || weighed.length <= triedPartsMax) choose(at + 1, kept, set, weight)
  }
  choose(0, [], undefined, 0)
  return best.kept.toSorted((one, other) => one.from - other.from)
}

/**
 * The fewer watches have it, the more it tells, in bits; less if it is a correction or a beginning, which may be wrong.
 * Whoever names a brand means it: only a whole reference tells more.
 */
function weightOf({ size, references }: WatchIndex, part: Part, sets: MeaningSets): number {
  const bits = Math.log2(1 + size / sets.ofPart(part).count)
  const mostBits = Math.log2(1 + size)
  const { meanings, corrected } = part
  const isWhole = (meaning: Meaning) => meaning.kind === 'reference' && references.has(meaning.folded)
  if (meanings.some(isWhole)) return 2 * mostBits
  if (meanings.every((meaning) => meaning.kind === 'word' && meaning.words.length === 0))
    return bits * completedShare
  const own = meanings.some(({ kind }) => kind === 'brand') ? mostBits : bits
  return corrected === undefined ? own : own * correctedShare
}
