// Compares a title with a watch: what the words say for it, against it, and which words it cannot explain.
import { foldLetters, foldReference } from '../../specs/fold.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { isCalled, type NamedNickname } from './name-sets.ts'
import type { Evidence } from './read-evidence.ts'
import { isSame } from './same-word.ts'
import type { Word } from './title-text.ts'
import { functionPatterns, nearColors, noiseWords } from './title-words.ts'
import type { WatchFacts } from './watch-facts.ts'

export interface Comparison {
  readonly facts: WatchFacts
  /** The higher, the better the watch fits. */
  readonly score: number
  /** Whether the text names the watch by its collection in whole, or by a nickname. */
  readonly isNamed: boolean
  /** Whether the text has its collection in whole. */
  readonly isOfCollection: boolean
  /** Whether a nickname in the text leads to the watch, or only to others. */
  readonly isCalled: boolean
  /** Whether it is a nickname of the table that stands for references: it means the same to everybody. */
  readonly isCalledByTable: boolean
  /** Whether that nickname means this reference and no other. */
  readonly isCalledAlone: boolean
  readonly isOtherCalled: boolean
  /** The nicknames in the text that lead to the watch. */
  readonly called: readonly NamedNickname[]
  /** Independent facts of the text that the watch has, beyond brand and collection. */
  readonly agreements: number
  /** Facts of the text that another watch must have. */
  readonly contradictions: number
  /** Words that may be a name and that the watch does not have. */
  readonly unexplained: readonly string[]
  /** Functions that people name which the watch has and the text does not. */
  readonly unsaid: readonly string[]
  /** Whether the text tells the watch from others of its line: by a year in which it was made, or its calibre. */
  readonly isDated: boolean
  /** Whether the watch has a nickname of its own that the text does not say. */
  readonly isNicknameUnsaid: boolean
  readonly reasons: readonly string[]
}

const weights = {
  collection: 2,
  collectionWord: 0.5,
  part: 1,
  missing: 0.2,
  nickname: 3,
  ownNickname: 2,
  word: 1,
  unexplained: 1.5,
  agreement: 1,
  weakAgreement: 0.4,
  contradiction: 3,
  weakContradiction: 1.2,
  unsaid: 0.5,
} as const
/** Sizes are measured in different ways. */
const nearMm = 0.55
const limitedWords = ['limited', 'anniversary', 'edition', 'special']
export interface Title {
  readonly evidence: Evidence
  readonly nicknames: readonly NamedNickname[]
  readonly year: number | null
}

export function compareWith(index: WatchIndex, title: Title, facts: WatchFacts): Comparison {
  const { evidence, nicknames, year } = title
  const reasons: string[] = []
  let score = 0
  let agreements = 0
  let contradictions = 0
  const agree = (reason: string | undefined, weight: number = weights.agreement, isStrong = true) => {
    score += weight
    if (isStrong) agreements++
    if (reason !== undefined) reasons.push(reason)
  }
  const contradict = (isStrong = true) => {
    score -= isStrong ? weights.contradiction : weights.weakContradiction
    if (isStrong) contradictions++
  }

  const called = nicknames.filter((nickname) => isCalled(index, nickname, facts.ordinal))
  for (const { name, isNarrow } of called)
    agree(`nickname ${name}`, isNarrow ? weights.nickname : weights.collection, isNarrow)
  const isOtherCalled = nicknames.length > called.length && called.length === 0
  if (isOtherCalled) score -= weights.contradiction / 2

  const said = [...evidence.names, ...evidence.others]
  const inCollection = facts.collectionWords.filter(
    (word) =>
      said.some((one) => isSame(one.word, word)) ||
      called.some(({ name }) => foldLetters(name).includes(word)),
  )
  const missing = facts.collectionWords.length - inCollection.length
  const isWhole = facts.collectionWords.length > 0 && missing === 0
  const isJoined =
    !isWhole &&
    facts.collectionWords.length > 1 &&
    foldLetters(said.map(({ word }) => word).join(' ')).includes(foldLetters(facts.collection))
  if (isWhole || isJoined) {
    score += weights.collection + weights.collectionWord * (facts.collectionWords.length - 1)
    reasons.push(`collection ${facts.collection}`)
  } else if (inCollection.length > 0) {
    const telling = inCollection.filter((word) =>
      said.some((one) => isSame(one.word, word) && !noiseWords.has(one.word)),
    )
    score += weights.part * telling.length - weights.missing * Math.min(2, missing)
    if (telling.length > 0) reasons.push(`collection ${facts.collection}`)
  } else if (called.length === 0) score -= weights.part
  const ownNickname =
    facts.nicknameWords.length > 0 &&
    facts.nicknameWords.every((word) => said.some((one) => isSame(one.word, word)))
  if (ownNickname && called.length === 0) agree(`nickname ${facts.nickname}`, weights.ownNickname)

  const isExplained = explainer(index, evidence, facts)
  const isIn = (word: Word) => called.some(({ from, to }) => word.from >= from && word.to <= to)
  const unexplained: string[] = []
  for (const word of evidence.names) {
    if (isIn(word) || facts.collectionWords.some((own) => isSame(word.word, own))) continue
    if (facts.nicknameWords.some((own) => isSame(word.word, own))) {
      if (!ownNickname) agree(`name ${word.word}`, weights.word)
    } else if (facts.hasWord(word.word)) agree(`word ${word.word}`, weights.word)
    else if (!isExplained(word.word)) unexplained.push(word.word)
  }
  score -= weights.unexplained * unexplained.length

  // `Black Bay` names no colour, but `BB58 black` does.
  const hasName = (color: string) =>
    [facts.collectionWords, facts.nicknameWords].some((name) =>
      name.some(
        (word) =>
          colorIs(word, color) &&
          evidence.others.some((one) => one.word === word) &&
          (name.length === 1 ||
            name.some((other) => other !== word && said.some((one) => one.word === other))),
      ),
    )
  compareDials()
  compareSizes()
  compareMetals()
  if (evidence.straps.length > 0 && facts.straps.length > 0) {
    const shared = evidence.straps.find((strap) => facts.straps.includes(strap))
    if (shared !== undefined) agree(`bracelet ${shared}`, weights.weakAgreement, false)
    else {
      // Straps are changed, but a watch may also be sold with each of them.
      score -= weights.weakAgreement
      agreements--
    }
  }
  if (evidence.isLimited && !limitedWords.some((word) => facts.hasWord(word))) agreements--
  for (const one of evidence.functions) {
    // A chronograph by its name says nothing more.
    const isInName = isFunctionOf(one, facts.collection) || called.some(({ name }) => isFunctionOf(one, name))
    if (facts.functions.includes(one))
      agree(`function ${one}`, isInName ? weights.weakAgreement : weights.agreement, !isInName)
    else if (facts.hasFunctions) contradict(one !== 'alarm')
  }
  const unsaid = [...facts.functions].filter((one) => !evidence.functions.includes(one))
  score -=
    weights.unsaid * unsaid.filter((one) => one !== 'gmt' && one !== 'alarm' && one !== 'moonphase').length
  compareMovements()
  const caliber = evidence.calibers.find((one) => facts.calibers.includes(one))
  if (caliber !== undefined) agree(`caliber ${caliber}`)
  else if (evidence.calibers.length > 0 && facts.calibers.length > 0) {
    score -= weights.unexplained
    unexplained.push(...evidence.calibers)
  }
  for (const depth of evidence.depths) {
    if (facts.hasWord(`${depth}m`) || facts.collectionWords.includes(`${depth}m`)) continue
    if (facts.depth !== undefined && isNear(depth, facts.depth, facts.depth * 0.05))
      agree(`depth ${depth} m`, weights.weakAgreement, false)
    else if (facts.depth !== undefined) score -= weights.weakContradiction
  }
  if (year !== null && facts.introduced !== undefined) {
    if (year < facts.introduced - 1) contradict()
    else reasons.push(`year ${year}`)
  }
  return {
    facts,
    score,
    isOfCollection: isWhole || isJoined,
    isNamed: isWhole || isJoined || called.length > 0 || ownNickname,
    isCalled: called.some(({ isNarrow }) => isNarrow) || ownNickname,
    isCalledByTable: called.some(({ isNarrow }) => isNarrow),
    isCalledAlone: called.some(({ isSingle }) => isSingle),
    isOtherCalled: isOtherCalled && !ownNickname,
    called,
    agreements,
    contradictions,
    unexplained,
    unsaid,
    isDated:
      caliber !== undefined || (year !== null && facts.introduced !== undefined && year >= facts.introduced),
    isNicknameUnsaid: facts.nicknameWords.length > 0 && !ownNickname && called.length === 0,
    reasons,
  }

  function compareDials(): void {
    const bare = evidence.colors.filter((color) => !hasName(color))
    const said = evidence.dials.length > 0 ? evidence.dials : bare
    if (said.length === 0) return
    if (facts.dials.length === 0) return
    const shared = said.find((color) => facts.dials.includes(color))
    const isElsewhere = evidence.dials.length === 0 && said.some((color) => facts.hasColor(color))
    if (shared !== undefined) agree(`dial ${shared}`)
    else if (said.some((color) => [...facts.dials].some((own) => isNearColor(color, own)))) score += 0
    else if (isElsewhere) score -= weights.weakAgreement
    else contradict()
  }

  function compareSizes(): void {
    const known = facts.sizes.filter((size) => size > 10)
    if (known.length === 0) return
    if (evidence.sizes.length > 0) {
      const near = evidence.sizes.find((size) => known.some((own) => isNear(size, own, nearMm)))
      if (near !== undefined) agree(`size ${near} mm`)
      else contradict()
      return
    }
    const bare = evidence.bareSizes.filter(
      (size) => !facts.collectionWords.includes(String(size)) && !facts.nicknameWords.includes(String(size)),
    )
    if (bare.length === 0) return
    const near = bare.find((size) => known.some((own) => isNear(size, own, nearMm)))
    if (near !== undefined) agree(`size ${near} mm`)
    else if (!bare.some((size) => nicknames.some(({ name }) => name.includes(String(size))))) contradict()
  }

  function compareMetals(): void {
    if (facts.metals.length === 0) return
    for (const metal of evidence.metals) {
      if (hasMetal(facts.metals, metal)) {
        agree(
          `metal ${metal}`,
          metal === 'steel' ? weights.weakAgreement : weights.agreement,
          metal !== 'steel',
        )
      } else
        contradict(metal !== 'ceramic' && metal !== 'carbon' && metal !== 'aluminium' && metal !== 'resin')
    }
  }

  function compareMovements(): void {
    if (facts.movement === undefined) return
    for (const movement of evidence.movements) {
      if (movement === facts.movement) agree(undefined, weights.weakAgreement, false)
      else contradict(isElectric(movement) !== isElectric(facts.movement))
    }
  }
}

function isFunctionOf(family: string, name: string): boolean {
  const pattern = functionPatterns.find(([one]) => one === family)?.[1]
  return pattern?.test(name.toLowerCase()) === true
}

function isElectric(movement: string): boolean {
  return movement === 'quartz' || movement === 'solar'
}

function hasMetal(own: readonly string[], metal: string): boolean {
  if (own.includes(metal)) return true
  if (metal === 'gold' || metal === 'two-tone')
    return [...own].some((one) => one.endsWith('gold') || one === 'two-tone')
  if (metal.endsWith('gold')) return own.includes('gold') || own.includes('two-tone')
  return metal === 'steel' && own.includes('two-tone')
}

function colorIs(word: string, color: string): boolean {
  return word === color || (color === 'gold' && word === 'golden') || (color === 'grey' && word === 'gray')
}

function isNearColor(one: string, other: string): boolean {
  return nearColors.some(([a, b]) => (a === one && b === other) || (a === other && b === one))
}

function isNear(one: number, other: number, max: number): boolean {
  return Math.abs(one - other) <= max
}

/** Tells words of the brand, parts of the reference, and words that are written as one elsewhere. */
function explainer(
  { brands }: WatchIndex,
  { neighbours }: Evidence,
  facts: WatchFacts,
): (word: string) => boolean {
  const brandWords = brands.words(facts.brandId)
  const reference = foldReference(facts.reference)
  const letters = foldLetters(`${facts.collection} ${facts.nickname ?? ''}`)
  return (word) => {
    if (brandWords.some((own) => isSame(word, own))) return true
    if (word.length >= 3 && /\d/.test(word) && reference.includes(word)) return true
    if (word.length >= 5 && letters.includes(word)) return true
    const pairs = neighbours.get(word) ?? []
    return pairs.some(
      (pair) =>
        pair.length >= 5 &&
        (facts.hasWord(pair) || facts.collectionWords.includes(pair) || facts.nicknameWords.includes(pair)),
    )
  }
}
