// Creates, reads and deletes watches, builds their JSON, and declares their table.
import type { Generated, Selectable } from 'kysely'
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Reader, Tables, Tx } from '../storage/database.ts'
import { hasPrice, priceOf } from './prices.ts'

declare module '../storage/database.ts' {
  interface Tables {
    watches: {
      id: Generated<number>
      brand_id: number
      collection: string
      reference_number: string
      retail_price_usd: number | null
      current_market_price: number | null
      specs: string
      updated_at: string
    }
  }
}

/** A watch as the database stores it; `specs` is the JSON text of the document. */
export type WatchRow = Readonly<Selectable<Tables['watches']>>

export interface WatchDraft extends Omit<WatchRow, 'id' | 'specs' | 'updated_at'> {
  readonly specs: Readonly<Record<string, unknown>>
}

/** A watch as the API sends it, with the name of its brand at the time. The log stores deleted watches in this form. */
export interface WatchState extends Omit<WatchRow, 'brand_id' | 'specs'> {
  readonly brand: string
  readonly specs: Readonly<Record<string, unknown>>
}

/** For writing watches in batches: see `watchValues`. */
export const watchesRows = {
  table: 'watches',
  columns: {
    id: 'bigint',
    brand_id: 'bigint',
    collection: 'text',
    reference_number: 'text',
    retail_price_usd: 'double precision',
    current_market_price: 'double precision',
    specs: 'text',
    updated_at: 'text',
  },
} as const

export const watchColumns = Object.keys(watchesRows.columns) as (keyof typeof watchesRows.columns)[]

export function watchValues(row: WatchRow): (string | number | null)[] {
  return watchColumns.map((column) => row[column])
}

/** Creates the watch, with the first line of its price history, and returns its id. */
export async function createWatch(
  tx: Tx,
  clock: Clock,
  record: (change: NewChange) => void,
  draft: WatchDraft,
  price: { readonly date: string; readonly source: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('watches')
    .values({ ...draft, specs: JSON.stringify(draft.specs), updated_at: clock.now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (hasPrice(draft)) {
    await tx
      .insertInto('prices')
      .values({ watch_id: id, ...priceOf(draft), ...price })
      .execute()
  }
  record({ type: 'watch.created', subjectId: id })
  return id
}

/**
 * Deletes the watches and their price histories, and returns how many there were. The log stores each deleted watch:
 * nothing else can tell afterwards whose filters it matched.
 */
export async function deleteWatches(
  tx: Tx,
  record: (change: NewChange) => void,
  ids: readonly number[],
): Promise<number> {
  const deleted = await tx
    .deleteFrom('watches')
    .where('id', 'in', ids)
    .returning((eb) => [
      ...watchColumns,
      eb.selectFrom('brands').select('name').whereRef('brands.id', '=', 'watches.brand_id').as('brand'),
    ])
    .execute()
  for (const { brand, ...row } of deleted) {
    record({ type: 'watch.deleted', subjectId: row.id, data: { last: stateOf(row, brand ?? '') } })
  }
  return deleted.length
}

export function stateOf(row: WatchRow, brand: string): WatchState {
  const { brand_id: _, specs, ...fields } = row
  return { ...fields, brand, specs: JSON.parse(specs) }
}

/** Reads the next watches in order of id, so that all can be read in bounded steps. */
export function readWatchesAfter(reader: Reader, id: number, limit: number): Promise<WatchRow[]> {
  return selectWatches(reader).where('id', '>', id).orderBy('id').limit(limit).execute()
}

/** The brand and reference of a watch, without the specs document, which is most of its size. */
export type WatchName = Pick<WatchRow, 'id' | 'brand_id' | 'reference_number'>

export function readWatchNamesAfter(reader: Reader, id: number, limit: number): Promise<WatchName[]> {
  return reader
    .selectFrom('watches')
    .select(['id', 'brand_id', 'reference_number'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Does not count all watches, which would take a while. */
export async function hasMoreWatches(reader: Reader, than: number): Promise<boolean> {
  const [one] = await reader.selectFrom('watches').select('id').orderBy('id').limit(1).offset(than).execute()
  return one !== undefined
}

/** In order of id. */
export function readWatches(reader: Reader, ids: readonly number[]): Promise<WatchRow[]> {
  return selectWatches(reader).where('id', 'in', ids).orderBy('id').execute()
}

/** What a new price changes in a watch. */
export type WatchPrice = Pick<WatchRow, 'id' | 'retail_price_usd' | 'current_market_price' | 'updated_at'>

/** Locks the rows until the end of the transaction: otherwise two concurrent changes would log the same old state. */
export function readWatchesForUpdate(tx: Tx, ids: readonly number[]): Promise<WatchRow[]> {
  return selectWatches(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** The JSON of a watch as the API sends it, without the text that is the same in every watch (`watchFrame`). */
export interface WatchJson {
  /** All fields but `specs`, each as JSON and followed by `fieldMark`. `updated_at` is the last. */
  readonly fields: string
  /** Sent as stored. */
  readonly specs: string
}

/** Ends a field. It is a control character, which JSON contains only in escaped form. */
export const fieldMark = '\x1f'

/** The text before, between and after the fields: seven in the order of the interface document, then our own. */
export const watchFrame = [
  '{"id":',
  ',"brand":',
  ',"collection":',
  ',"reference_number":',
  ',"retail_price_usd":',
  ',"current_market_price":',
  ',"specs":',
  ',"updated_at":',
  '}',
] as const

/** The JSON of the fields that a new price changes, which follow each other in `fields`. */
export function priceFields({
  retail_price_usd,
  current_market_price,
  updated_at,
}: Omit<WatchPrice, 'id'>): string {
  return `${retail_price_usd}\x1f${current_market_price}\x1f"${updated_at}"\x1f`
}

/** Concatenated by hand, because a million of these are built at start. Numbers and null print as in JSON. */
export function watchJson(row: Omit<WatchRow, 'brand_id'>, brand: string): WatchJson {
  const { id, collection, reference_number } = row
  return {
    fields:
      `${id}\x1f${quoted(brand)}\x1f${quoted(collection)}\x1f${quoted(reference_number)}\x1f` +
      priceFields(row),
    specs: row.specs,
  }
}

export function watchText({ fields, specs }: WatchJson): string {
  const [id, brand, collection, reference, retail, market, updatedAt] = fields.split(fieldMark)
  const parts = [id, brand, collection, reference, retail, market, specs, updatedAt, '']
  return watchFrame.map((text, at) => `${text}${parts[at]}`).join('')
}

/** ASCII without quotation marks, backslashes and control characters: needs no escaping in JSON. */
const plain = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}

export function selectWatches(reader: Reader) {
  return reader.selectFrom('watches').select(watchColumns)
}
