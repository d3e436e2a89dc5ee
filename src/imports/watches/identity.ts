// Builds the identity of a watch: a string that is the same for a row of a file and for the watch that the row means. Also
// reads all watches of the catalogue, to find them by it.
import { pagesById } from '../../catalogue/edit/watch-pages.ts'
import {
  readWatchesAfter,
  readWatchNamesAfter,
  type WatchName,
  type WatchRow,
} from '../../catalogue/watches.ts'
import { foldReference, foldText } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import { withoutReferencePrefix } from '../cells/clean-text.ts'
import type { Draft } from '../drafts/draft.ts'
import type { IdentityKey } from '../import-options.ts'

/** A watch of the catalogue. Its specs are read only if the identity is a spec. */
export type KnownWatch = WatchName & Partial<Pick<WatchRow, 'specs'>>

export interface Identity {
  /** Undefined if the row lacks the identifying value. */
  ofDraft(draft: Draft, brand: number): string | undefined
  ofRow(row: KnownWatch): string | undefined
  /** Completes "The row …" for a row without an identity. */
  readonly missing: string
  /** Whether brand and reference identify the watch. Other spellings of them are then no changes. */
  readonly isByReference: boolean
  /** Whether the identity is a spec, so that the specs of watches must be read. */
  readonly isInSpecs: boolean
}

const pageRows = 5_000

/** Yields all watches in order of id, read in pages. */
export async function* eachWatch(reader: Reader, hasSpecs = false): AsyncGenerator<KnownWatch> {
  const read = hasSpecs ? readWatchesAfter : readWatchNamesAfter
  for await (const page of pagesById<KnownWatch>((after) => read(reader, after, pageRows))) yield* page
}

export function identityBy(key: IdentityKey): Identity {
  if (key === 'id') return byId
  return key === 'reference' ? byReference : bySpec(key.spec)
}

const byReference: Identity = {
  ofDraft: ({ reference_number }, brand) => referenceIdentity(brand, reference_number),
  ofRow: ({ brand_id, reference_number }) => referenceIdentity(brand_id, reference_number),
  missing: 'has no reference number',
  isByReference: true,
  isInSpecs: false,
}

/**
 * References are folded as in the API; one of only dots and dashes would fold to nothing and is used as it is. The brand
 * is given by its number, so that its spelling does not matter; `*` is any brand. Undefined for a watch without a
 * reference: two of them are not the same watch.
 */
export function referenceIdentity(brand: number | '*', reference: string): string | undefined {
  if (reference === '') return undefined
  // Earlier imports stored `Ref. 126334`.
  return `${brand} ${foldReference(withoutReferencePrefix(reference)) || reference}`
}

const byId: Identity = {
  ofDraft: ({ id }) => (id === undefined ? undefined : String(id)),
  ofRow: ({ id }) => String(id),
  missing: 'has no id',
  isByReference: false,
  isInSpecs: false,
}

function bySpec(key: string): Identity {
  const valueIn = (specs: string) => {
    const value = new Map(Object.entries(JSON.parse(specs))).get(key)
    if (value === undefined || value === null || value === '') return undefined
    return typeof value === 'string' ? foldText(value) : JSON.stringify(value)
  }
  return {
    ofDraft: ({ specs }) => valueIn(specs),
    ofRow: ({ specs = '{}' }) => valueIn(specs),
    missing: `has no ${key}`,
    isByReference: false,
    isInSpecs: true,
  }
}
