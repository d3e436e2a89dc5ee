// Ranks the watches that the words of a title may mean where it prints no reference. One is claimed only if it has all
// that the text says, if enough of it, and if no other watch fits about as well: the catalogue may not have the watch.
import type { Comparison } from './compare.ts'
import { byScore, type Ranked, shared } from './ranked.ts'

interface Bar {
  readonly agreements: number
  readonly score: number
  /** By so much the watch fits better than the next. */
  readonly margin: number
}
/** How much must speak for a watch that is claimed without a reference: either of these. */
const bars: readonly [Bar, Bar] = [
  { agreements: 2, score: 4, margin: 0.9 },
  { agreements: 1, score: 4, margin: 3 },
]
/** And where the text has a word or two that the watch does not explain. */
const unexplainedBar: Bar = { agreements: 3, score: 4, margin: 2 }
const unexplainedMax = 2
const maxConfidence = 0.97
/**
 * How often one of the candidates of an ambiguous title is meant, measured: if they have all its words; if they do not, but
 * no other watch comes near the first; and else.
 */
const [mostMass, aloneMass, sharedMass] = [0.85, 0.8, 0.5] as const
const aloneMargin = 4
/** A title whose first candidate fits worse has none. */
const fitMin = 1.5

export function rankByWords(
  compared: readonly Comparison[],
  isComplete: boolean,
  hasKin: (ordinal: number) => boolean,
  reasonsOf: (one: Comparison) => readonly string[],
): Ranked {
  const ranked = compared.toSorted(byScore)
  const [first, second] = ranked
  if (first === undefined) return { match: 'none', candidates: [] }
  const margin = first.score - (second?.score ?? Number.NEGATIVE_INFINITY)
  if (
    isComplete &&
    isClear(first, margin) &&
    !isSpecial(first, ranked) &&
    (first.isCalledByTable || first.isDated || !hasKin(first.facts.ordinal))
  ) {
    const confidence = confidenceOf(first, margin)
    const rest = shared(ranked.slice(1), (1 - confidence) * 0.8, reasonsOf)
    return {
      match: 'likely',
      candidates: [{ ordinal: first.facts.ordinal, confidence, reasons: reasonsOf(first) }, ...rest].slice(
        0,
        5,
      ),
    }
  }
  const fits = ranked.filter((one) => one.contradictions === 0 && one.score >= fitMin)
  if (fits.length === 0) return { match: 'none', candidates: shared(ranked.slice(0, 5), 0.25, reasonsOf) }
  const mass = first.unexplained.length === 0 ? mostMass : margin >= aloneMargin ? aloneMass : sharedMass
  return { match: 'ambiguous', candidates: shared(ranked, mass, reasonsOf) }
}

function isClear(first: Comparison, margin: number): boolean {
  const { isNamed, isOtherCalled, contradictions, unexplained } = first
  if (!isNamed || isOtherCalled || contradictions > 0) return false
  if (!first.isCalledAlone && !bars.some((bar) => passes(first, margin, bar))) return false
  if (first.isCalledAlone && margin < bars[0].margin) return false
  if (unexplained.length === 0) return true
  // A number is the name of another model more often than a word is.
  const hasNumber = unexplained.some((word) => /\d/.test(word))
  return !hasNumber && unexplained.length <= unexplainedMax && passes(first, margin, unexplainedBar)
}

/** A watch with a nickname of its own that the text does not say needs one fact more. */
function passes({ agreements, isNicknameUnsaid, score }: Comparison, margin: number, bar: Bar): boolean {
  return agreements - Number(isNicknameUnsaid) >= bar.agreements && score >= bar.score && margin >= bar.margin
}

/** Whether others of the name lack a function that the text does not say: then it may mean one that the catalogue lacks. */
function isSpecial(first: Comparison, ranked: readonly Comparison[]): boolean {
  if (first.isCalled) return false
  const named = ranked.filter((one) => one !== first && one.isNamed)
  return first.unsaid.some((unsaid) =>
    named.some(({ facts }) => facts.hasFunctions && !facts.functions.includes(unsaid)),
  )
}

function confidenceOf({ agreements }: Comparison, margin: number): number {
  return Math.min(maxConfidence, 0.84 + 0.03 * Math.min(4, agreements - 2) + 0.01 * Math.min(3, margin))
}
