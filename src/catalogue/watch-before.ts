// Reconstructs a watch before a change: the log stores what each change replaced, so that every earlier state follows
// from the current one. The log does not store two things: the order of the specs, and whether an added spec was null
// or absent before.
import type { Change } from '../changes/log.ts'
import type { Price } from './prices.ts'
import type { DeletedWatch, WatchRow } from './watches.ts'

/** A watch as the API sends it. */
export interface WatchState extends Price {
  readonly id: number
  /** The name of the brand at that time. */
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  readonly specs: Readonly<Record<string, unknown>>
  readonly updated_at: string
}

interface FieldChange {
  readonly old: unknown
}

const specPrefix = 'specs.'

/**
 * Returns the watch before the change, given the `state` after it; undefined if there was no watch. The log does not
 * store when the earlier state began: `updated_at` is the latest time possible, and earlier than that of `state`.
 */
export function watchBefore(state: WatchState, change: Change): WatchState | undefined {
  switch (change.type) {
    case 'watch.created':
      return undefined
    case 'watch.deleted':
      return stateOfDeleted(change)
    case 'watch.updated':
      return { ...state, ...fieldsBefore(state, change), updated_at: momentBefore(state, change) }
    case 'watch.price_changed':
      return { ...state, ...priceBefore(state, change), updated_at: momentBefore(state, change) }
    default:
      return state
  }
}

export function stateOf(row: WatchRow, brandName: string): WatchState {
  const { brand_id: _, specs, ...fields } = row
  return { ...fields, brand: brandName, specs: JSON.parse(specs) }
}

/** Returns the deleted watch; undefined if the log entry is from before deleted watches were stored. */
export function stateOfDeleted({ data }: Change): WatchState | undefined {
  return (data as { last?: DeletedWatch } | undefined)?.last
}

/** Returns JSON in the field order of the API. */
export function watchStateText(state: WatchState): string {
  const { id, brand, collection, reference_number, retail_price_usd, current_market_price } = state
  const { specs, updated_at } = state
  return JSON.stringify({
    id,
    brand,
    collection,
    reference_number,
    retail_price_usd,
    current_market_price,
    specs,
    updated_at,
  })
}

function fieldsBefore(state: WatchState, { data }: Change): Partial<WatchState> {
  const changes = (data as { changes?: Readonly<Record<string, FieldChange>> } | undefined)?.changes ?? {}
  const textBefore = (field: 'brand' | 'collection' | 'reference_number') =>
    (changes[field]?.old as string | undefined) ?? state[field]
  // A map, because operators choose the keys: `__proto__` is a key like any other.
  const specs = new Map(Object.entries(state.specs))
  for (const [field, { old }] of Object.entries(changes)) {
    if (!field.startsWith(specPrefix)) continue
    const key = field.slice(specPrefix.length)
    if (old === null) specs.delete(key)
    else specs.set(key, old)
  }
  return {
    brand: textBefore('brand'),
    collection: textBefore('collection'),
    reference_number: textBefore('reference_number'),
    specs: Object.fromEntries(specs),
  }
}

function priceBefore(state: Price, { data }: Change): Price {
  const { retail_price_usd, current_market_price } = (data as { old?: Price } | undefined)?.old ?? state
  return { retail_price_usd, current_market_price }
}

/** A receiver that keeps the state with the latest `updated_at` must not mistake an earlier state for it. */
function momentBefore({ updated_at }: WatchState, { at }: Change): string {
  return new Date(Math.min(Date.parse(updated_at) - 1, Date.parse(at))).toISOString()
}
