// Determines the meaning of spec values: two values mean the same if their terms are equal. A value is read as a
// quantity, else a number, else a synonym, else text. It does not know where values are stored or queried.
import { createHash } from 'node:crypto'
import { foldText } from './fold.ts'
import { type Nicknames, noNicknames } from './nicknames.ts'
import { findNumber, withoutNegativeZero } from './numbers.ts'
import { parseQuantity, writeQuantity } from './quantities.ts'
import type { Synonyms } from './synonyms.ts'
import { unitsDigest } from './units.ts'

export type Scalar = string | number | boolean

export interface Reading {
  readonly kind: 'text' | 'number' | 'quantity' | 'synonym'
  /** Equal exactly for values that mean the same. Begins with the first letter of the kind. */
  readonly term: string
  /** The term without units and synonyms: number or folded text. Equals the term if the kind is text or number. */
  readonly exact: string
  /** The number for ranges, in the key's own unit; undefined if the value is not numeric. */
  readonly number: number | undefined
  /** How the value was read, for users: '100 m', 'Automatic', '42', 'black'. */
  readonly shown: string
}

export interface Vocabulary {
  /** Changes whenever a value may be read differently than before. */
  readonly digest: string
  readonly synonyms: Synonyms
  readonly nicknames: Nicknames
  read(key: string, value: Scalar): Reading
  /** Returns the preferred spelling of a term; undefined for a text, whose spelling only its watches have. */
  spell(key: string, term: string): string | number | undefined
}

/** Increase it when folding or the parsing of numbers or quantities changes. Units and synonyms have own digests. */
const readingVersion = 4
/** Objects nested deeper than this are ignored: JSON.stringify would overflow the stack. */
const objectDepthMax = 500

export function createVocabulary(synonyms: Synonyms, nicknames = noNicknames): Vocabulary {
  const versions = [readingVersion, unitsDigest, synonyms.digest, nicknames.digest].join(' ')
  return {
    digest: createHash('sha256').update(versions).digest('hex').slice(0, 16),
    synonyms,
    nicknames,
    read: (key, value) => read(synonyms, key, value),
    spell: (key, term) => {
      const meaning = term.slice(1)
      if (term.startsWith('n')) return Number(meaning)
      if (term.startsWith('q')) return meaning
      return term.startsWith('s') ? synonyms.find(key, meaning) : undefined
    },
  }
}

/** Returns the comparable parts of a stored spec value: array elements at any depth, an object as its JSON. */
export function scalarsOf(value: unknown): Scalar[] {
  const scalars: Scalar[] = []
  // An explicit stack instead of recursion: stored JSON may be nested deeper than the call stack allows.
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) pending.push(next[at])
    else if (typeof next === 'string' || typeof next === 'number' || typeof next === 'boolean')
      scalars.push(next)
    else if (typeof next === 'object' && next !== null && !isTooDeep(next)) scalars.push(JSON.stringify(next))
  }
  return scalars
}

function read(synonyms: Synonyms, key: string, value: Scalar): Reading {
  const folded = typeof value === 'string' ? foldText(value) : String(value).toLowerCase()
  const number = typeof value === 'number' ? findFinite(value) : findNumber(folded)
  const exact = exactTerm(folded, number)

  const quantity = parseQuantity(key, number ?? folded)
  if (quantity !== undefined) {
    const shown = writeQuantity(key, quantity)
    return { kind: 'quantity', term: `q${shown}`, exact, number: quantity.number, shown }
  }
  if (number !== undefined) return { kind: 'number', term: exact, exact, number, shown: String(number) }
  const shown = synonyms.find(key, folded)
  if (shown !== undefined) return { kind: 'synonym', term: `s${foldText(shown)}`, exact, number, shown }
  return { kind: 'text', term: exact, exact, number, shown: folded }
}

/** The exact reading of a folded text. */
export function exactTerm(folded: string, number = findNumber(folded)): string {
  return number === undefined ? `t${folded}` : `n${number}`
}

function findFinite(number: number): number | undefined {
  return Number.isFinite(number) ? withoutNegativeZero(number) : undefined
}

function isTooDeep(object: object): boolean {
  let level: unknown[] = [object]
  for (let depth = 0; depth < objectDepthMax; depth++) {
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
