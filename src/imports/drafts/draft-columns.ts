// Converts drafts to one array per field and back, to post them between threads. A list of objects would copy the
// field names with every draft.
import type { Draft } from './draft.ts'

export type DraftColumns = { readonly [Field in keyof Draft]-?: readonly Draft[Field][] }

export function toColumns(drafts: readonly Draft[]): DraftColumns {
  return {
    line: drafts.map(({ line }) => line),
    id: drafts.map(({ id }) => id),
    brand: drafts.map(({ brand }) => brand),
    collection: drafts.map(({ collection }) => collection),
    reference_number: drafts.map(({ reference_number }) => reference_number),
    retail_price_usd: drafts.map(({ retail_price_usd }) => retail_price_usd),
    current_market_price: drafts.map(({ current_market_price }) => current_market_price),
    specs: drafts.map(({ specs }) => specs),
    // All rows of a file share one set, which is copied once for each message.
    specKeys: drafts.map(({ specKeys }) => specKeys),
    updated_at: drafts.map(({ updated_at }) => updated_at),
    isWhole: drafts.map(({ isWhole }) => isWhole),
    unread: drafts.map(({ unread }) => unread),
  }
}

export function fromColumns(columns: DraftColumns): Draft[] {
  return Array.from({ length: columns.line.length }, (_, at) => ({
    line: columns.line[at] as number,
    id: columns.id[at],
    brand: columns.brand[at] as string,
    collection: columns.collection[at],
    reference_number: columns.reference_number[at] as string,
    retail_price_usd: columns.retail_price_usd[at],
    current_market_price: columns.current_market_price[at],
    specs: columns.specs[at] as string,
    specKeys: columns.specKeys[at],
    updated_at: columns.updated_at[at],
    isWhole: columns.isWhole[at] as boolean,
    unread: columns.unread[at],
  }))
}
