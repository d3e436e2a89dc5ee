// Tells a part, a service or a copy from the watch that it is for: by the noun that the title is about.
import type { Scope } from './read-condition.ts'
import type { TitleText } from './title-text.ts'
import {
  colorFamilies,
  otherGoods,
  partBefore,
  partBehind,
  partFor,
  partFront,
  partKinds,
} from './title-words.ts'

/** What of the title speaks of a whole watch. */
interface WholeWatch {
  readonly scope: Scope
  readonly year: number | null
  readonly price: number | undefined
}

interface Place {
  readonly from: number
  readonly to: number
}

/** Parts cost less. */
const watchPriceMin = 1_000
const boxOnly = /\b(?:box|papers|card) only\b/g
const watchConditions = ['unworn', 'mint', 'excellent', 'very good']

/** `references` are the places of the references in the text, in order. */
export function isAboutOtherGoods(text: TitleText, references: readonly Place[], whole: WholeWatch): boolean {
  const { plain } = text
  // `Box only - $8,950`: without papers.
  const isPricey = whole.price !== undefined && whole.price >= watchPriceMin
  const about = isPricey ? plain.replace(boxOnly, ' ') : plain
  if (otherGoods.test(about) || partFor.test(plain)) return true
  const [first, last] = [references[0], references.at(-1)]
  if (first === undefined || last === undefined || isWhole(whole)) return false
  const behind = plain.slice(last.to, endOf(text))
  return partBehind.test(behind) || partBefore.test(plain.slice(0, first.from)) || isPartInFront(text, first)
}

/** Where the text ends, without a brand behind it. */
function endOf({ plain, words }: TitleText): number {
  const last = words.at(-1)
  return last?.role === 'brand' ? last.from : plain.length
}

function isWhole({ scope: { box, papers, condition }, year, price }: WholeWatch): boolean {
  return (
    (box === true && papers === true) ||
    year !== null ||
    (price !== undefined && price >= watchPriceMin) ||
    (condition !== null && watchConditions.includes(condition))
  )
}

/** `Everest strap 126610LN`, but not `Blue dial Rolex 126334`: a part that is described describes the watch. */
function isPartInFront({ plain, words }: TitleText, { from }: Place): boolean {
  const brand = words.find(({ role }) => role === 'brand')
  const name = Math.min(from, brand?.from ?? from)
  const front = plain.slice(0, name)
  if (!partFront.test(front)) return false
  // Straps are sold in colours, too.
  if (/\b(?:straps?|bands?) $/.test(front)) return true
  return !words.some(({ word, to }) => to <= name && (colorFamilies.has(word) || partKinds.has(word)))
}
