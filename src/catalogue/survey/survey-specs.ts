// Counts the spec keys of all watches, and the types and values of each key, with a few watches as examples. Makes one
// pass in bounded memory, and sets a flag where something was cut.
import { scalarsOf } from '../../specs/vocabulary.ts'

export type Scalar = string | number | boolean
export type SpecType = 'text' | 'number' | 'boolean' | 'list' | 'object'

/** How many watches have something, and the ids of a few of them. */
export interface Occurrence {
  watches: number
  readonly ids: number[]
}

export interface KeySurvey {
  readonly key: string
  readonly occurrence: Occurrence
  readonly types: ReadonlyMap<SpecType, Occurrence>
  /** The values as stored; the elements of a list count separately. Without objects and long texts. */
  readonly values: ReadonlyMap<Scalar, Occurrence>
  /** Whether the key has more values than are stored. */
  readonly isCut: boolean
}

const keysMax = 10_000
const valuesOfKeyMax = 10_000
const valuesMax = 500_000
/** A longer text is prose, which seldom repeats. */
const valueCharsMax = 120
const examplesMax = 5

interface Counted extends KeySurvey {
  readonly types: Map<SpecType, Occurrence>
  readonly values: Map<Scalar, Occurrence>
  isCut: boolean
}

export class SpecSurvey {
  readonly #keys = new Map<string, Counted>()
  #valuesCount = 0
  /** Whether there are more keys than are stored. */
  areKeysCut = false

  /** `specs` is the JSON text of the document. */
  add(id: number, specs: string): void {
    for (const [key, value] of Object.entries(JSON.parse(specs))) {
      if (value === null) continue
      const counted = this.#keys.get(key) ?? this.#addKey(key)
      if (counted !== undefined) this.#count(counted, id, value)
    }
  }

  /** The most frequent first. */
  get keys(): readonly KeySurvey[] {
    return [...this.#keys.values()].sort(
      (one, other) => other.occurrence.watches - one.occurrence.watches || (one.key < other.key ? -1 : 1),
    )
  }

  #addKey(key: string): Counted | undefined {
    if (this.#keys.size === keysMax) {
      this.areKeysCut = true
      return undefined
    }
    const counted = { key, occurrence: none(), types: new Map(), values: new Map(), isCut: false }
    this.#keys.set(key, counted)
    return counted
  }

  #count(counted: Counted, id: number, value: unknown): void {
    meet(counted.occurrence, id)
    const type = typeOf(value)
    meet(counted.types.getOrInsertComputed(type, none), id)
    if (type === 'object') return
    const scalars = type === 'list' ? new Set(scalarsOf(value)) : [value as Scalar]
    for (const scalar of scalars) this.#countValue(counted, id, scalar)
  }

  #countValue(counted: Counted, id: number, value: Scalar): void {
    const known = counted.values.get(value)
    if (known !== undefined) meet(known, id)
    else if (
      counted.values.size === valuesOfKeyMax ||
      this.#valuesCount === valuesMax ||
      (typeof value === 'string' && value.length > valueCharsMax)
    ) {
      counted.isCut = true
    } else {
      this.#valuesCount++
      counted.values.set(value, meet(none(), id))
    }
  }
}

export function none(): Occurrence {
  return { watches: 0, ids: [] }
}

/** Returns the most frequent first. */
export function byFrequency<T>(counted: ReadonlyMap<T, Occurrence>): [T, Occurrence][] {
  return [...counted].sort(([, one], [, other]) => other.watches - one.watches)
}

/** Counts one more watch. */
export function meet(occurrence: Occurrence, id: number): Occurrence {
  occurrence.watches++
  if (occurrence.ids.length < examplesMax) occurrence.ids.push(id)
  return occurrence
}

function typeOf(value: unknown): SpecType {
  if (Array.isArray(value)) return 'list'
  const type = typeof value
  return type === 'string' ? 'text' : type === 'object' ? 'object' : (type as 'number' | 'boolean')
}
