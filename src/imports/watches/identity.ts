// In charge of what a watch is known by: the text that is the same for a row of a file and for the watch it means.
import type { WatchName, WatchRow } from '../../catalogue/watches.ts'
import { foldReference, foldText } from '../../specs/fold.ts'
import type { Draft } from '../drafts/draft.ts'
import type { IdentityKey } from '../import-options.ts'

/** A watch of the catalogue; specs only where the identity is in them. */
export type KnownWatch = WatchName & Partial<Pick<WatchRow, 'specs'>>

export interface Identity {
  /** Undefined where the row does not have what it would be known by. */
  ofDraft(draft: Draft, brand: number): string | undefined
  ofRow(row: KnownWatch): string | undefined
  /** What a row lacks that has no identity. */
  readonly missing: string
  /** Whether it is by brand and reference, so that other spellings of these are no news. */
  readonly isByReference: boolean
  /** Whether it needs the specs of a watch. */
  readonly isInSpecs: boolean
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

/** As the API compares references; the brand as its number, so that its spelling does not matter. */
function referenceIdentity(brand: number, reference: string): string {
  return `${brand} ${foldReference(reference) || reference}`
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
