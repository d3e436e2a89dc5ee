// Reads what the words of a title say of the watch: names, colours, metals, sizes, functions. Words that it cannot place
// are names, which the watch must have.
import { familiesIn, type Span } from './families.ts'
import { depthsIn, sizesIn } from './read-numbers.ts'
import type { TitleText, Word } from './title-text.ts'
import {
  colorFamilies,
  functionPatterns,
  metalPatterns,
  movementPatterns,
  noiseWords,
  resembling,
  resemblingBefore,
  strapPatterns,
} from './title-words.ts'

export interface Evidence {
  /** In order, with the place of each in the text. */
  readonly names: readonly Word[]
  /** Words that tell nothing by themselves, but may be in a name: `Date`, `Diver`. */
  readonly others: readonly Word[]
  /** Each name together with the word before or behind it. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>
  /** Of the dial for sure, and of the dial or another part. */
  readonly dials: readonly string[]
  readonly colors: readonly string[]
  readonly metals: readonly string[]
  readonly straps: readonly string[]
  readonly functions: readonly string[]
  readonly movements: readonly string[]
  readonly calibers: readonly string[]
  readonly sizes: readonly number[]
  /** Numbers that may be sizes: `Datejust 41`. */
  readonly bareSizes: readonly number[]
  readonly depths: readonly number[]
  /** Whether it is of a limited edition. */
  readonly isLimited: boolean
  /** Whether the title says that it is like the watch it names. */
  readonly isResembling: boolean
}

const dialNoun = /^[ -]*(?:\w+ )?(?:dial|dialed|zifferblatt|face|blatt)\b/
const dialBefore = /\b(?:dial|zifferblatt|cadran|quadrante|esfera)[ :]*(?:\w+ )?$/
/** What a colour may belong to instead. */
const otherNoun =
  /^(?:[ /&-]+(?:and )?(?:[a-z]+ ){0,1}(?:bezel|strap|leather|alligator|croco?\w*|calf\w*|rubber|nato|canvas|nylon|textile|hand|hands|seconds|ceramic|alumini?um|lunette|band|lederband|armband|cuir|pelle|silicone|velcro|indices|numerals|lume|dlc|pvd|case|box|sapphire)\b|band\b|leder)/
const otherBefore =
  /\b(?:strap|bezel|bracelet|cinturino|pelle|cuir|lunette|lunetta|lederband|nato|hand|lume|box)[ :]*$/
/** Names that are compared with watches. */
const namesMax = 40
const capBetween = 3
const limited = /\b(?:limited|ltd|anniversary|limitiert\w*|limitee?|limitata)\b/
const resemblingLength = 40
const bareSize = /^\d{2}$/
const bareSizeMin = 24
const bareSizeMax = 50
const quoted = /["“”„«»]/

export function readEvidence(text: TitleText, isName: (word: string) => boolean = () => false): Evidence {
  const { plain, words } = text
  const names: Word[] = []
  const others: Word[] = []
  const dials = new Set<string>()
  const colors = new Set<string>()
  const bareSizes: number[] = []
  const spans: Span[] = []
  // The metals of parts cover their words, too.
  familiesIn(metalPatterns, plain, spans)
  const straps = familiesIn(strapPatterns, plain, spans)
  const functions = familiesIn(functionPatterns, plain, spans)
  const movements = familiesIn(movementPatterns, plain, spans).slice(0, 1)
  const covered = (from: number, to: number) => spans.some(([start, end]) => start <= from && to <= end)
  for (const [at, word] of words.entries()) {
    const { from, to, role } = word
    // `Lange 1` and `Drive de Cartier` have the brand in their name.
    if (role === 'brand') others.push(word)
    if (
      role === 'brand' ||
      role === 'reference' ||
      role === 'price' ||
      role === 'phone' ||
      role === 'karat' ||
      role === 'labelled' ||
      role === 'year' ||
      role === 'caliber'
    )
      continue
    if (role === 'condition' || role === 'set' || role === 'noise') continue
    const family = colorFamilies.get(word.word)
    if (family !== undefined) {
      const [before, behind] = [plain.slice(Math.max(0, from - 24), from), plain.slice(to, to + 28)]
      const isGold = /^(?: ?gold)\b/.test(behind) && family !== 'blue'
      if (isGold) continue
      if (dialNoun.test(behind) || dialBefore.test(before)) dials.add(family)
      else if (!otherNoun.test(behind) && !otherBefore.test(before)) colors.add(family)
      others.push(word)
      continue
    }
    if (role === 'size' || role === 'depth') {
      others.push(word)
      continue
    }
    const number = Number(word.word)
    if (bareSize.test(word.word) && number >= bareSizeMin && number <= bareSizeMax) {
      bareSizes.push(sizeAt(text, at, number))
      // `Pelagos 39`: a size may be in a name.
      others.push(word)
    } else if (/^\d$/.test(word.word) && at > 0 && bareSize.test((words[at - 1] as Word).word))
      others.push(word)
    else if (
      noiseWords.has(word.word) ||
      covered(from, to) ||
      word.word.length < 2 - Number(/\d/.test(word.word))
    )
      others.push(word)
    else names.push(word)
  }
  const told = names.slice(0, namesMax)
  return {
    names: told,
    others,
    neighbours: neighboursOf(told, others),
    dials: [...dials],
    colors: [...colors],
    metals: familiesIn(metalPatterns, withoutParts(plain)),
    straps,
    functions,
    movements,
    calibers: words.filter(({ role }) => role === 'caliber').map(({ word }) => word),
    sizes: sizesIn(text),
    bareSizes,
    depths: depthsIn(text),
    isLimited: limited.test(plain),
    isResembling: isResembling(text, isName),
  }
}

/** Whether the text says that it is like the watch it names: `Rolex style`, `homage to Rolex`. */
function isResembling({ plain, words }: TitleText, isName: (word: string) => boolean): boolean {
  const isBehind = words.some(
    ({ word, from, to }, at) =>
      at > 0 &&
      !isName(word) &&
      ((resembling.test(word) && !plain.startsWith(' by ', to)) ||
        (plain[from - 1] === '-' && /^(?:type|like)$/.test(word))) &&
      isNameBefore(words[at - 1] as Word, plain, from) &&
      !quoted.test(plain[from - 1] ?? ''),
  )
  if (isBehind) return true
  // A reference before it is that of the watch itself: `SPB143 inspired by Seiko's 62MAS`.
  const reference = words.find(({ role }) => role === 'reference')
  return words.some(
    ({ role, from }) =>
      (role === 'brand' || role === 'reference') &&
      (reference === undefined || from <= reference.from) &&
      resemblingBefore.test(plain.slice(Math.max(0, from - resemblingLength), from)),
  )
}

function neighboursOf(names: readonly Word[], others: readonly Word[]): Map<string, readonly string[]> {
  const all = [...names, ...others].sort((one, other) => one.from - other.from)
  const pairs = new Map<string, readonly string[]>()
  for (const [at, { word }] of all.entries()) {
    const near = [all[at - 1], all[at + 1]]
    if (!pairs.has(word))
      pairs.set(
        word,
        near.flatMap((one, side) =>
          one === undefined ? [] : [side === 0 ? one.word + word : word + one.word],
        ),
      )
  }
  return pairs
}

/** `38.5` is two words. */
function sizeAt({ plain, words }: TitleText, at: number, number: number): number {
  const next = words[at + 1]
  const word = words[at] as Word
  const isDecimal =
    next !== undefined && /^[.,]$/.test(plain.slice(word.to, next.from)) && /^\d$/.test(next.word)
  return isDecimal ? number + Number(next.word) / 10 : number
}

function isNameBefore(word: Word, plain: string, from: number): boolean {
  return (
    (word.role === 'brand' || word.role === 'reference') &&
    from - word.to <= capBetween &&
    !plain.slice(word.to, from).includes(',')
  )
}

/** The metal of a bezel, a buckle or a coating says nothing about the case. */
function withoutParts(plain: string): string {
  return plain.replace(
    /\b(?:\w+ ){0,2}(?:bezel|lunette|lunetta|buckle|clasp|bracelet|indices|hands|rotor|tone|plated|coated|strap|accents?|bracciale|brazalete)\b|\b(?:gold|golden|silver|bronze|platinum) dial\b|\b(?:bracelet|bracciale|brazalete|dial|lunette|cadran) (?:\w+)|\b(?:stahl|titan|metall|leder|kautschuk)band\b|\bgangreserve\b/g,
    ' ',
  )
}
