// Replaces several spellings of a spec value by one, in every watch that has them, alone or in a list.
import { parseSynonyms } from '../../specs/synonyms.ts'
import { createVocabulary } from '../../specs/vocabulary.ts'
import { type BulkEditParts, changeSpecs } from './change-specs.ts'
import { mayHaveKey, readMembers, writeMembers } from './spec-members.ts'

type Scalar = string | number | boolean

export interface ValueMerge {
  readonly key: string
  /** Compared as `spec[key][exact]` does: case and white space do not matter, nor how a number is written. */
  readonly from: readonly Scalar[]
  /** Stored as given. */
  readonly into: Scalar
}

/** How deep lists within lists are searched. */
const depthMax = 100

/** Exact comparison uses no synonyms, so none are loaded. */
const vocabulary = createVocabulary(parseSynonyms('', ''))

/** Returns how many watches changed. */
export function mergeValues(parts: BulkEditParts, merge: ValueMerge): Promise<number> {
  return changeSpecs(parts, valueMerger(merge))
}

/** Builds a function that returns the changed document, or the same text if it has none of the values. */
function valueMerger({ key, from, into }: ValueMerge): (specs: string) => string {
  const exactOf = (value: Scalar) => vocabulary.read(key, value).exact
  const exacts = new Set(from.map(exactOf))
  const intoExact = exactOf(into)
  const mustChange = (value: unknown): boolean =>
    isScalar(value) && value !== into && exacts.has(exactOf(value))
  const isInto = (value: unknown) => isScalar(value) && exactOf(value) === intoExact

  return (specs) => {
    if (!mayHaveKey(specs, key)) return specs
    const members = readMembers(specs)
    let hasChanged = false
    const next = members.map((member) => {
      if (member.key !== key) return member
      const before: unknown = JSON.parse(member.valueText)
      const after = changed(before, 0)
      if (after === before) return member
      hasChanged = true
      return { ...member, valueText: JSON.stringify(after) }
    })
    return hasChanged ? writeMembers(next) : specs
  }

  /** Returns the same value if nothing in it changes. */
  function changed(value: unknown, depth: number): unknown {
    if (mustChange(value)) return into
    if (!Array.isArray(value) || depth === depthMax) return value
    const inner = value.map((element) => (Array.isArray(element) ? changed(element, depth + 1) : element))
    if (inner.some(mustChange)) return mergedList(inner)
    return inner.some((element, at) => element !== value[at]) ? inner : value
  }

  /** Puts the value where the first of its spellings was, and only once. */
  function mergedList(elements: readonly unknown[]): unknown[] {
    let isThere = false
    return elements.flatMap((element) => {
      if (!mustChange(element) && !isInto(element)) return [element]
      if (isThere) return []
      isThere = true
      return [into]
    })
  }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
