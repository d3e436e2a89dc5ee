// Reconstructs a watch before a change: the log stores what each change replaced, so that every earlier state follows
// from the current one. The log does not store two things: the order of the specs, and whether an added spec was null
// or absent before.
import type { Change } from '../changes/log.ts'
import type { FieldChange } from './field-changes.ts'
import { type Price, priceOf } from './prices.ts'
import { type WatchState, watchJson, watchText } from './watches.ts'

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
      return { ...state, ...priceBefore(change), updated_at: momentBefore(state, change) }
    default:
      return state
  }
}

/** Returns the deleted watch; undefined if the log entry is from before deleted watches were stored. */
export function stateOfDeleted({ data }: Change): WatchState | undefined {
  return (data as { last?: WatchState } | undefined)?.last
}

/** Returns JSON in the field order of the API. */
export function watchStateText(state: WatchState): string {
  return watchText(watchJson({ ...state, specs: JSON.stringify(state.specs) }, state.brand))
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

function priceBefore({ data }: Change): Partial<Price> {
  const { old } = (data ?? {}) as { old?: Price }
  return old === undefined ? {} : priceOf(old)
}

/** A receiver that keeps the state with the latest `updated_at` must not mistake an earlier state for it. */
function momentBefore({ updated_at }: WatchState, { at }: Change): string {
  return new Date(Math.min(Date.parse(updated_at) - 1, Date.parse(at))).toISOString()
}
