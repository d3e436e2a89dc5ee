// Ranks the watches that printed references lead to. A reference that the catalogue has in whole claims its watch; a
// base with one variant claims it as likely; a reference that the catalogue lacks claims nothing.
import { foldReference } from '../../specs/fold.ts'
import { referenceShapes } from '../../specs/reference-shapes.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Comparison } from './compare.ts'
import type { PrintedReference } from './find-references.ts'
import { type KnownReferences, siblingsOf, watchesHaving } from './known-references.ts'
import { type NamedNickname, scatteredNicknames } from './name-sets.ts'
import { byScore, type Ranked, type RankedWatch, shared } from './ranked.ts'
import type { TitleText } from './title-text.ts'

interface Model {
  readonly printed: PrintedReference
  readonly variants: readonly number[]
  readonly others: readonly number[]
}

const confidences = { exact: 0.985, short: 0.95, unbranded: 0.92, variant: 0.9, narrowed: 0.85 } as const
/** Each fact of the text that another watch must have takes so much away from what a reference says. */
const contradicted = 0.04
const contradictionsMax = 3
/** So much, if the text has the nickname of another reference. */
const otherCalled = 0.085
const otherVariantMass = 0.55
/** Letters behind a model that tell its version: `556 A`. */
const versionLengthMax = 2
const weak = { sibling: 0.12, successor: 0.2 } as const
const comparedMax = 10
/** By so much the first variant must fit better than the next. */
const variantMargin = 0.9
const unbrandedDigits = 6
const caseNumber = /^\d[\dA-Z]\d{2}-\d[\dA-Z]{2}\d$/i

interface Printed {
  readonly printed: readonly PrintedReference[]
  readonly known: KnownReferences
  readonly nicknames: readonly NamedNickname[]
  /** Whether the text is a line of a dealer's list, which begins with the reference: `124060 N3/2025 12.1k`. */
  readonly isListed: boolean
}

export function rankReferences(
  index: WatchIndex,
  text: TitleText,
  { printed, known, nicknames, isListed }: Printed,
  compare: (ordinal: number) => Comparison,
): Ranked | undefined {
  const whole = printed.filter(({ watches }) => watches.length > 0)
  const models = printed
    .filter(
      ({ watches, isShort, isAnnounced }) =>
        watches.length === 0 && (!isShort || isAnnounced || whole.length === 0),
    )
    .filter((one) => !whole.some((other) => isPartOf(one, other)))
    .map((one): Model => ({ printed: one, ...siblingsOf(index, one.folded, one.match, known) }))
  if (whole.length > 0) return rankWhole(whole, models, { known, nicknames, isListed }, compare)
  if (models.length === 0) return undefined
  const distinct = models.filter(
    (one) => !models.some((other) => other !== one && isPartOf(one.printed, other.printed)),
  )
  const ranked = rankModels(index, distinct.length === 0 ? models.slice(0, 1) : distinct, known, compare)
  const [first] = ranked.candidates
  const isOther =
    ranked.match === 'likely' &&
    first !== undefined &&
    isOfOtherVariant(index, text, distinct, known, compare(first.ordinal))
  return isOther ? { match: 'ambiguous', candidates: withMass(ranked.candidates, otherVariantMass) } : ranked
}

/** The base is often printed beside the whole reference. */
function isPartOf(one: PrintedReference, other: PrintedReference): boolean {
  if (one === other || one.folded.length > other.folded.length) return false
  if (one.folded === other.folded) return one.from > other.from
  if (other.folded.includes(one.folded)) return true
  return one.match?.isBase === true && other.match?.whole.startsWith(one.match.base) === true
}

/** Whether the text has the nickname of another variant than the watch: `5711 Tiffany`, or `556 A` beside `556 I`. */
function isOfOtherVariant(
  index: WatchIndex,
  text: TitleText,
  models: readonly Model[],
  known: KnownReferences,
  { facts, isCalled }: Comparison,
): boolean {
  const { words, shown } = text
  const own = foldReference(facts.reference)
  // The base tells the collection: it need not be said.
  const scattered = scatteredNicknames(index, text, known.ids, facts.collectionWords)
  return models.some(({ printed: { match, folded, to } }) => {
    const base = match?.base ?? folded
    const isNamed = scattered.some(({ nickname: { targets } }) => {
      const references = targets.flatMap((one) => (one.kind === 'reference' ? [one.folded] : []))
      return references.some((one) => one.startsWith(base)) && !references.some((one) => own.startsWith(one))
    })
    if (isNamed && !isCalled) return true
    if (!facts.nicknameWords.includes(folded)) return false
    const next = words.find(({ from }) => from === to + 1)
    return (
      next !== undefined &&
      next.word.length <= versionLengthMax &&
      (shown.slice(next.from, next.to) === next.word.toUpperCase() || next === words.at(-1)) &&
      !facts.nicknameWords.includes(next.word)
    )
  })
}

function withMass(candidates: readonly RankedWatch[], mass: number): RankedWatch[] {
  const sum = candidates.reduce((all, { confidence }) => all + confidence, 0)
  return candidates.map((one) => ({ ...one, confidence: (one.confidence * mass) / sum }))
}

/** Of the nicknames in the text, those that stand for other references only. */
function otherNicknames(
  nicknames: readonly NamedNickname[],
  { isCalled, called }: Comparison,
): NamedNickname[] {
  return isCalled ? [] : nicknames.filter((one) => one.isNarrow && !called.includes(one))
}

function rankWhole(
  whole: readonly PrintedReference[],
  absent: readonly Model[],
  { known, nicknames, isListed }: Omit<Printed, 'printed'>,
  compare: (ordinal: number) => Comparison,
): Ranked {
  // A number that a shop gave to the piece may look like a reference: one that stands elsewhere counts more.
  const watches = [...new Set(whole.flatMap((one) => one.watches))].slice(0, comparedMax)
  const compared = watches.map(compare).sort(byScore)
  const [first, second] = compared as [Comparison, Comparison | undefined]
  const [printed] = whole as [PrintedReference]
  const reasons = [`reference ${printed.written}`]
  const isSameReference = whole.every(
    (one) =>
      one.watches.length === printed.watches.length &&
      one.watches.every((ordinal) => printed.watches.includes(ordinal)),
  )
  if (!isSameReference) return { match: 'ambiguous', candidates: shared(compared, 0.9, reasonsOf) }
  if (absent.some((one) => !one.printed.isShort && !isCaseNumber(one.printed)))
    return { match: 'ambiguous', candidates: shared(compared, 0.55, reasonsOf) }
  const isUnbranded = known.ids.length === 0
  const isWeak =
    isUnbranded &&
    /^\d+$/.test(printed.folded) &&
    (printed.folded.length < unbrandedDigits || (first.agreements === 0 && !first.isNamed && !isListed))
  if (isWeak) return { match: 'ambiguous', candidates: shared(compared, 0.5, reasonsOf) }
  if (second !== undefined) {
    const isClear = first.score - second.score >= variantMargin
    if (!isClear) return { match: 'ambiguous', candidates: shared(compared, 0.95, reasonsOf) }
  }
  const others = otherNicknames(nicknames, first)
  const base = printed.match?.base
  const isOtherVariant = others.some(({ references }) =>
    references.some((one) => base !== undefined && known.shapes?.match(one)?.base === base),
  )
  if (isOtherVariant) return { match: 'ambiguous', candidates: shared(compared, otherVariantMass, reasonsOf) }
  const own = isUnbranded ? confidences.unbranded : printed.isShort ? confidences.short : confidences.exact
  const confidence =
    (second === undefined ? own : confidences.narrowed) -
    contradicted * Math.min(contradictionsMax, first.contradictions) -
    (others.length > 0 ? otherCalled : 0)
  const rest = shared(compared.slice(1), 1 - confidence, reasonsOf)
  return {
    match: second === undefined ? 'exact' : 'likely',
    candidates: [
      { ordinal: first.facts.ordinal, confidence, reasons: [...reasons, ...first.reasons] },
      ...rest,
    ],
  }

  function reasonsOf({ facts, reasons: own }: Comparison): string[] {
    const named = whole.find((one) => one.watches.includes(facts.ordinal))
    return [`reference ${named?.written ?? printed.written}`, ...own]
  }
}

/** `6R15-00C0`: Seiko prints calibre and case on the back of a watch that has a reference of another form. */
function isCaseNumber({ written }: PrintedReference): boolean {
  return caseNumber.test(written)
}

function rankModels(
  index: WatchIndex,
  models: readonly Model[],
  known: KnownReferences,
  compare: (ordinal: number) => Comparison,
): Ranked {
  const variants = [...new Set(models.flatMap((model) => model.variants))]
  const [model] = models as [Model]
  const reasonsOf = ({ reasons }: Comparison) => [`reference ${model.printed.written}`, ...reasons]
  if (variants.length === 0) return { match: 'none', candidates: weakly(index, models, known) }
  const compared = variants.slice(0, comparedMax).map(compare).sort(byScore)
  const [first, second] = compared as [Comparison, Comparison | undefined]
  const isOne =
    models.length === 1 &&
    variants.length <= comparedMax &&
    first.contradictions === 0 &&
    !first.isOtherCalled
  const isUnbrandedNumber = known.ids.length === 0 && /^\d+$/.test(model.printed.folded)
  const isClear =
    second === undefined ||
    (first.score - second.score >= variantMargin && (second.contradictions > 0 || first.isCalled))
  if (isOne && isClear && !isUnbrandedNumber) {
    const confidence = second === undefined ? confidences.variant : confidences.narrowed
    const rest = shared(compared.slice(1), 1 - confidence, reasonsOf)
    return {
      match: 'likely',
      candidates: [{ ordinal: first.facts.ordinal, confidence, reasons: reasonsOf(first) }, ...rest],
    }
  }
  return {
    match: 'ambiguous',
    candidates: shared(compared, first.contradictions > 0 ? 0.5 : 0.85, reasonsOf),
  }
}

/** Watches that are near a reference which the catalogue lacks: of the same model, before or after it. */
function weakly(index: WatchIndex, models: readonly Model[], known: KnownReferences): RankedWatch[] {
  const found = new Map<number, RankedWatch>()
  const table = referenceShapes()
  for (const { printed, others } of models) {
    const names = [printed.folded, printed.match?.whole ?? '', printed.match?.base ?? '']
    const links = [
      ...names
        .flatMap((name) => table.successors(name))
        .map((name) => ({ name, reason: `successor of ${printed.written}` })),
      ...names
        .flatMap((name) => table.predecessors(name))
        .map((name) => ({ name, reason: `predecessor of ${printed.written}` })),
    ]
    for (const { name, reason } of links) {
      for (const ordinal of watchesHaving(index, foldReference(name), known)) {
        if (!found.has(ordinal))
          found.set(ordinal, { ordinal, confidence: weak.successor, reasons: [reason] })
      }
    }
    for (const ordinal of others.slice(0, comparedMax)) {
      if (!found.has(ordinal))
        found.set(ordinal, { ordinal, confidence: weak.sibling, reasons: [`variant of ${printed.written}`] })
    }
  }
  return [...found.values()].slice(0, 5)
}
