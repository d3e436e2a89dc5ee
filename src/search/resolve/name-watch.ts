// Names the watch that a title clearly means, for imports: one of the catalogue, or one whose brand and reference the
// title has in whole. Anything else is a fault, which tells what the title may mean.
import { foldReference } from '../../specs/fold.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { selectIn } from '../results/find-matches.ts'
import { readEvidence } from './read-evidence.ts'
import { readNumbers } from './read-numbers.ts'
import { type Candidate, isOfOneWatch, resolveTitle, type Title } from './resolve.ts'
import { openTitle } from './title-text.ts'

interface NamedWatch {
  readonly brand: string
  readonly reference: string
  /** What the title says of a watch that is new; the catalogue knows the others better. */
  readonly specs: Readonly<Record<string, string>>
}

export function nameWatch(index: WatchIndex, title: Title): NamedWatch | { readonly fault: string } {
  index.resultCache.freeSlots()
  const { match, candidates, read } = resolveTitle(index, selectIn(index), title)
  const [first] = candidates
  if (first !== undefined && (match === 'exact' || match === 'likely')) {
    const { brand, reference_number: reference } = index.watchAt(first.ordinal)
    return { brand, reference, specs: {} }
  }
  const { brand, reference } = read
  const isNew = match === 'none' && brand !== null && reference !== null && hasNone(index, reference)
  if (isNew && isOfOneWatch(title.text, reference)) return { brand, reference, specs: specsIn(title.text) }
  return { fault: faultOf(index, candidates) }
}

/** A reference of which the catalogue has variants is no new one. */
function hasNone({ references }: WatchIndex, reference: string): boolean {
  return references.first(foldReference(reference), 1).length === 0
}

function specsIn(written: string): Record<string, string> {
  const text = openTitle(written)
  readNumbers(text)
  const { sizes, depths, dials, metals } = readEvidence(text)
  const specs: Record<string, string> = {}
  const [size] = sizes
  const [depth] = depths
  if (size !== undefined && sizes.length === 1) specs.case_diameter = `${size} mm`
  if (depth !== undefined && depths.length === 1) specs.water_resistance = `${depth} m`
  if (dials.length === 1) specs.dial_color = capitalised(dials[0] ?? '')
  if (metals.length === 1) specs.case_material = capitalised(metals[0] ?? '')
  return specs
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function faultOf(index: WatchIndex, candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return 'The title names no watch of the catalogue.'
  const names = candidates.map(({ ordinal }) => {
    const { brand, collection, reference_number } = index.watchAt(ordinal)
    return [brand, collection, reference_number].filter((part) => part !== '').join(' ')
  })
  return `The title does not clearly mean one watch. It may be: ${names.join('; ')}.`
}
