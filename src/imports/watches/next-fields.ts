// Computes the new fields of a watch from a row.
import type { WatchFields } from '../../catalogue/field-changes.ts'
import type { Draft } from '../drafts/draft.ts'

/** The fields of a new watch. */
export function fieldsOf(draft: Draft, brandId: number): WatchFields {
  return {
    brand_id: brandId,
    collection: draft.collection ?? '',
    reference_number: draft.reference_number,
    retail_price_usd: draft.retail_price_usd ?? null,
    current_market_price: draft.current_market_price ?? null,
    specs: draft.specs,
  }
}

/** Fields that the row does not have stay as they are: two files may each have a part of a watch. */
export function mergeFields(watch: WatchFields, draft: Draft, names: Names): WatchFields {
  return {
    brand_id: names.brand_id,
    reference_number: names.reference_number || watch.reference_number,
    collection: draft.collection ?? watch.collection,
    retail_price_usd: draft.retail_price_usd === undefined ? watch.retail_price_usd : draft.retail_price_usd,
    current_market_price:
      draft.current_market_price === undefined ? watch.current_market_price : draft.current_market_price,
    specs: mergeSpecs(watch.specs, draft.specs),
  }
}

type Names = Pick<WatchFields, 'brand_id' | 'reference_number'>

/** Existing keys keep their order, new keys are appended. */
function mergeSpecs(stored: string, told: string): string {
  if (stored === told || told === '{}') return stored
  const merged = new Map([...Object.entries(JSON.parse(stored)), ...Object.entries(JSON.parse(told))])
  return JSON.stringify(Object.fromEntries(merged))
}
