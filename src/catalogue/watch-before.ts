// In charge of what a watch was before a change: the log tells of each what it changed, so that from the present state
// every earlier one can be had by going back. Two things the log does not tell: in which order the specs stood, and
// whether a spec that came was null before or not there.
import type { Change } from '../changes/log.ts'
import type { Price } from './prices.ts'
import type { DeletedWatch, WatchRow } from './watches.ts'

/** A watch as the API has it. */
export interface WatchState extends Price {
  readonly id: number
  /** The name it had then. */
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
 * The watch before the change, of which `state` is what it came to; undefined where there was none. When it had become
 * so the change does not tell: `updated_at` is the latest it can have been, and earlier than that of `state`.
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

/** What was deleted; undefined where the log is from before it kept that. */
export function stateOfDeleted({ data }: Change): WatchState | undefined {
  return (data as { last?: DeletedWatch } | undefined)?.last
}

/** JSON, in the order of the API. */
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
  // A map, because keys are the operators': `__proto__` is one like any other.
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

/** Whoever keeps the state of the latest `updated_at` must not take an earlier one for it. */
function momentBefore({ updated_at }: WatchState, { at }: Change): string {
  return new Date(Math.min(Date.parse(updated_at) - 1, Date.parse(at))).toISOString()
}
