// Finds the reference numbers that a title prints, whether the catalogue has them or not: groups of neighbouring words
// that have a shape of the brand, or that are the reference of a watch.
import { foldReference } from '../../specs/fold.ts'
import type { BrandShapes, ShapeMatch } from '../../specs/reference-shapes.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import {
  isKnownVariant,
  type KnownReferences,
  siblingsOf,
  watchesHaving,
  withoutRemark,
} from './known-references.ts'
import { isAnnounced, isPlausibleYear } from './read-numbers.ts'
import type { TitleText, Word } from './title-text.ts'
import { colorFamilies, noiseWords } from './title-words.ts'

export interface PrintedReference {
  readonly from: number
  readonly to: number
  /** As it is printed. */
  readonly written: string
  readonly folded: string
  /** Ordinals of the watches that have the reference in whole. */
  readonly watches: readonly number[]
  readonly match: ShapeMatch | undefined
  /** Few digits alone: may also be a number of another kind. */
  readonly isShort: boolean
  /** Whether spaces stand in it. */
  readonly isSpaced: boolean
  readonly isAnnounced: boolean
  /** Whether its end, behind a space, is that of a variant which the brand has: `16610 LV`. */
  readonly isVariant: boolean
  /** Whether another reference follows of which only the end is printed: `SKX007/009`. */
  readonly isFollowed: boolean
}

/** Words that a reference is written in at most: Oris prints eight. */
const wordsMax = 10
const lengthMin = 2
const lengthMax = 32
/** Groups that are looked up in a title at most. */
const lookedUpMax = 60
/** Groups that are read at most, with spaces and without. */
const groupsMax = 400
const shortDigits = 4
const partsMin = 4
const initialsMax = 3
/** So many digits with spaces between them are a reference if that of a watch begins so. */
const spacedDigitsMin = 8
/** What may stand between the parts of a reference. */
const tight = /^[._/\\·‐-–—⁄-]{1,2}$/
const loose = /^ {1,2}$|^ ?[-.–/] ?$|^$/
const otherEnd = /^(?: ?[/&+] ?| (?:and|und|or|oder|et|ou|y|e|o) )([a-z\d]{2,6})(?![\w.-])/
/** Fewer digits behind a stroke are a size or a month. */
const otherDigitsMin = 3
const serialBehind = /^[ -]*(?:serial|series|serie|seriennummer|dial|\d{5})/
const stockNumber =
  /\b(?:serial|s\/n|sn|ser|seriennummer|sku|stock|inv|inventory|order|lot|los|lotto|listing|ean|upc|gtin|asin)\b[\W_]*(?:(?:no|nr|number|code)\b[\W_]*)?$/
const skipped: ReadonlySet<string | undefined> = new Set([
  'price',
  'phone',
  'karat',
  'size',
  'depth',
  'caliber',
  'noise',
  'year',
])

export function findReferences(
  index: WatchIndex,
  text: TitleText,
  known: KnownReferences,
): PrintedReference[] {
  const found: PrintedReference[] = []
  // References without spaces first: those with spaces have many ways to be one.
  for (const isSpaced of [false, true]) {
    let groupsLeft = groupsMax
    let left = lookedUpMax
    for (let at = 0; at < text.words.length; at++) {
      for (const group of groupsAt(text, at)) {
        if (group.isSpaced !== isSpaced) {
          if (isSpaced) continue
          break
        }
        if (left <= 0 || groupsLeft-- <= 0) break
        const reference = readGroup(index, text, group, known, () => left--)
        if (reference !== undefined) found.push(reference)
      }
    }
  }
  return withoutOverlaps(found).map((one) => ({ ...one, isFollowed: isFollowed(index, text, one, known) }))
}

interface Group {
  readonly words: readonly Word[]
  readonly isSpaced: boolean
}

function* groupsAt({ words, shown }: TitleText, at: number): Generator<Group> {
  let isSpaced = false
  let length = 0
  for (let to = at; to < Math.min(words.length, at + wordsMax); to++) {
    const word = words[to] as Word
    if (skipped.has(word.role)) return
    if (to > at) {
      const gap = shown.slice((words[to - 1] as Word).to, word.from)
      if (!tight.test(gap)) {
        if (!loose.test(gap)) return
        isSpaced = true
      } else if (gap === '_') isSpaced = true
    }
    length += word.to - word.from
    if (length > lengthMax) return
    yield { words: words.slice(at, to + 1), isSpaced }
  }
}

function readGroup(
  index: WatchIndex,
  text: TitleText,
  { words, isSpaced }: Group,
  known: KnownReferences,
  count: () => void,
): PrintedReference | undefined {
  const [first] = words as [Word]
  const last = words.at(-1) as Word
  const written = text.shown.slice(first.from, last.to)
  const hasDigit = /\d/.test(written)
  if (!hasDigit && known.hasShapes) return undefined
  const folded = foldReference(written.replaceAll('_', ''))
  if (folded.length < lengthMin) return undefined
  if (words.length > 1 && words.every(({ word }) => noiseWords.has(word))) return undefined
  const match = hasDigit ? known.shapes?.match(folded) : undefined
  const isDigits = /^\d+$/.test(folded)
  const isTelling = hasDigit && (isDigits ? folded.length >= 5 : folded.length >= 4)
  const isNamed =
    !known.hasShapes && known.ids.length > 0 && (first.role === undefined || first.role === 'labelled')
  if (match === undefined && !isTelling && !isNamed) return undefined
  if (match === undefined && isSpaced && !isNamed && (isWord(first) || isWord(last))) return undefined
  if (words.every(({ role }) => role === 'brand')) return undefined
  count()
  const found = watchesHaving(index, folded, known)
  // `79030N 2021`: the year looks like what the maker's site puts behind a reference.
  const isYearBehind =
    isSpaced && words.length > 1 && /^\d{4}$/.test(last.word) && isPlausibleYear(Number(last.word))
  const watches = isYearBehind
    ? found.filter((ordinal) => withoutRemark(index, ordinal).endsWith(last.word))
    : found
  const lead =
    watches.length === 0
      ? undefined
      : otherLead(
          text,
          first,
          folded,
          watches.map((ordinal) => withoutRemark(index, ordinal)),
        )
  if (lead !== undefined) return absent(text, lead, last)
  if (watches.length === 0) {
    const isBase =
      isSpaced &&
      isDigits &&
      folded.length >= spacedDigitsMin &&
      siblingsOf(index, folded, match, known).variants.length > 0
    const isOther = isDigits && isSpaced && isOtherVariant(index, words, folded, match, known)
    if (
      match === undefined ||
      !(isBase || isOther || isLikelyShaped(words, isSpaced, isDigits, known.shapes))
    )
      return undefined
  }
  const isBehind = isAnnounced(text, first.from)
  const isShort = isDigits && folded.length <= shortDigits
  // Words such as `Marine Original` are references of a brand without shapes; a short word must be written alike.
  if (isShort && (words.length > 1 || !isPlaced(text, first, last, isBehind))) return undefined
  // `#1-36-13-02-81-06`: no shop numbers its pieces in so many parts.
  const isInParts = words.length >= partsMin && match !== undefined
  if (
    first.role === 'labelled' &&
    ((watches.length === 0 && !isInParts) || (isDigits && isStockNumber(text, first.from)))
  )
    return undefined
  if (words.length > 1 && isDate(words, folded) && watches.length === 0) return undefined
  return {
    from: first.from,
    to: last.to,
    written,
    folded,
    watches,
    match,
    isShort,
    isSpaced,
    isAnnounced: isBehind,
    isVariant: isVariantBehind(index, text, words, match, known),
    isFollowed: false,
  }
}

/** Whether a word of the trade stands there that is in no reference. */
function isWord({ word }: Word): boolean {
  return word.length > initialsMax && noiseWords.has(word)
}

/** `02 733 7730`: returns the number before, if it is another one than each watch has there. */
function otherLead(
  { plain, words }: TitleText,
  first: Word,
  folded: string,
  stored: readonly string[],
): Word | undefined {
  const before = words[words.indexOf(first) - 1]
  if (before === undefined || !/^\d+$/.test(before.word) || plain.slice(before.to, first.from) !== ' ')
    return undefined
  const isOther = stored.every((reference) => {
    const lead = reference.endsWith(folded) ? reference.slice(0, -folded.length) : ''
    return /^\d+$/.test(lead) && lead.length === before.word.length && lead !== before.word
  })
  return isOther ? before : undefined
}

function absent({ shown }: TitleText, { from }: Word, { to }: Word): PrintedReference {
  const written = shown.slice(from, to)
  const folded = foldReference(written)
  return {
    from,
    to,
    written,
    folded,
    watches: [],
    match: undefined,
    isShort: false,
    isSpaced: false,
    isAnnounced: false,
    isVariant: false,
    isFollowed: false,
  }
}

/** `01 733 7730 4157`: digits in groups that have the shape of a variant, of a base that watches have. */
function isOtherVariant(
  index: WatchIndex,
  words: readonly Word[],
  folded: string,
  match: ShapeMatch | undefined,
  known: KnownReferences,
): boolean {
  const last = words.at(-1) as Word
  if (match === undefined || match.isBase || folded.length < spacedDigitsMin) return false
  if (isPlausibleYear(Number(last.word)) || (known.shapes?.withoutEnding(folded).length ?? 0) > 0)
    return false
  return match.base !== match.whole && siblingsOf(index, folded, match, known).others.length > 0
}

/** `16610 LV`, but not `16610 M serial`. */
function isVariantBehind(
  index: WatchIndex,
  { plain }: TitleText,
  words: readonly Word[],
  match: ShapeMatch | undefined,
  known: KnownReferences,
): boolean {
  const last = words.at(-1) as Word
  if (match === undefined || words.length < 2 || !match.whole.endsWith(last.word)) return false
  return isKnownVariant(index, match, known) && !serialBehind.test(plain.slice(last.to))
}

/** Whether behind a reference only the end of another one is printed, which has a shape of the brand, too. */
function isFollowed(
  index: WatchIndex,
  { plain, words }: TitleText,
  { to, folded, watches }: PrintedReference,
  known: KnownReferences,
): boolean {
  const [gap = '', end = ''] = watches.length === 0 ? [] : (otherEnd.exec(plain.slice(to)) ?? [])
  const own = folded.slice(-end.length)
  if (end === '' || end.length >= folded.length || own === end || formOf(own) !== formOf(end)) return false
  const role = words.find(({ from }) => from === to + gap.length - end.length)?.role
  if (role !== undefined && role !== 'labelled') return false
  if (/^\d+$/.test(end) && (end.length < otherDigitsMin || isPlausibleYear(Number(end)))) return false
  const match = known.shapes?.match(folded.slice(0, -end.length) + end)
  return match !== undefined && (/\d/.test(end) || isKnownVariant(index, match, known))
}

/** Which of its characters are digits. */
function formOf(text: string): string {
  return text.replace(/\d/g, '0').replace(/[a-z]/g, 'a')
}

function isStockNumber({ plain }: TitleText, from: number): boolean {
  return stockNumber.test(plain.slice(Math.max(0, from - 24), from))
}

/** Words with spaces between them have a shape by chance: a year behind a reference looks like its end. */
function isLikelyShaped(
  words: readonly Word[],
  isSpaced: boolean,
  isDigits: boolean,
  shapes: BrandShapes | undefined,
): boolean {
  if (!isSpaced) return true
  if (isDigits) return false
  const last = words.at(-1) as Word
  if (/^\d{4}$/.test(last.word) && isPlausibleYear(Number(last.word))) return false
  if (
    /^[1-9]\d?$/.test(last.word) &&
    shapes?.match(
      foldReference(
        words
          .slice(0, -1)
          .map(({ word }) => word)
          .join(''),
      ),
    ) !== undefined
  )
    return false
  // `RM` and `BR` are brands and begin a reference.
  if (words.some(({ role, word }) => role === 'brand' && word.length > initialsMax)) return false
  const letters = words.filter(({ word }) => !/\d/.test(word))
  // `126334 blue` is no reference, `126710 BLNR` is one.
  return letters.every(({ word }, at) => {
    const isLead = at === 0 && words[0]?.word === word && shapes?.leads.includes(word) === true
    return (
      isLead ||
      words[at]?.role === 'brand' ||
      (word.length <= 6 && !noiseWords.has(word) && !colorFamilies.has(word) && !otherLetters.has(word))
    )
  })
}

const otherLetters: ReadonlySet<string> = new Set(
  'ss wg yg rg pg tt ti sg ltd nos bp lc ref mk auto gmt date rose gold pink jub jubilee oyster panda pepsi batman hulk b p lnib rtg ad'.split(
    ' ',
  ),
)

function isDate(words: readonly Word[], folded: string): boolean {
  return /^\d+$/.test(folded) && words.some(({ word }) => word.length === 4 && isPlausibleYear(Number(word)))
}

/** A number of up to four digits is a reference where one may stand: not beside a stroke, a sign or a stock number. */
function isPlaced({ plain }: TitleText, first: Word, last: Word, isBehind: boolean): boolean {
  if (isBehind) return true
  if (first.role !== undefined) return first.role === 'labelled'
  const before = plain.slice(Math.max(0, first.from - 2), first.from)
  const behind = plain.slice(last.to, last.to + 2)
  if (/[/#$€£+\d.,'’-]$/.test(before) || /^[/%+\d'’"]|^[.,-]\d/.test(behind)) return false
  return !(last.word.length === shortDigits && isPlausibleYear(Number(last.word)))
}

/** Of references that overlap, the one that a watch has, the longest; then the longest that has a shape. */
function withoutOverlaps(found: readonly PrintedReference[]): PrintedReference[] {
  // `301.SX.1170.RX.1704` is another watch than `301.SX.1170.RX`.
  const isCut = (one: PrintedReference) =>
    found.some(
      (other) =>
        other.watches.length === 0 &&
        (!other.isSpaced || other.isVariant) &&
        other.from <= one.from &&
        other.to >= one.to &&
        other.folded.length > one.folded.length,
    )
  const ranked = found
    .filter((one) => !isCut(one))
    .toSorted(
      (one, other) =>
        Number(other.watches.length > 0) - Number(one.watches.length > 0) ||
        other.folded.length - one.folded.length ||
        one.from - other.from,
    )
  const kept: PrintedReference[] = []
  for (const one of ranked) {
    if (!kept.some((other) => one.from < other.to && other.from < one.to)) kept.push(one)
  }
  return kept.sort((one, other) => one.from - other.from)
}
