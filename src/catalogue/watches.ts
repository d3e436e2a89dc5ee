// In charge of watches: what one is, how one is written and read, and its form as JSON.
import type { Generated } from 'kysely'
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Reader, Tx } from '../storage/database.ts'
import { type Price, recordPrice } from './prices.ts'

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

export interface WatchDraft extends Price {
  readonly brand_id: number
  readonly collection: string
  readonly reference_number: string
  readonly specs: Readonly<Record<string, unknown>>
}

/** A watch as the database has it; `specs` is the stored text of the document. */
export interface WatchRow extends Price {
  readonly id: number
  readonly brand_id: number
  readonly collection: string
  readonly reference_number: string
  readonly specs: string
  readonly updated_at: string
}

/** For many watches at once: see watchValues. */
export const watchesRows = {
  table: 'watches',
  columns: [
    'id',
    'brand_id',
    'collection',
    'reference_number',
    'retail_price_usd',
    'current_market_price',
    'specs',
    'updated_at',
  ],
} as const

export function watchValues(row: WatchRow): (string | number | null)[] {
  return [
    row.id,
    row.brand_id,
    row.collection,
    row.reference_number,
    row.retail_price_usd,
    row.current_market_price,
    row.specs,
    row.updated_at,
  ]
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
  if (draft.retail_price_usd !== null || draft.current_market_price !== null) {
    const { retail_price_usd, current_market_price } = draft
    await recordPrice(tx, id, price.date, { retail_price_usd, current_market_price }, price.source)
  }
  record({ type: 'watch.created', subjectId: id })
  return id
}

/**
 * Deletes the watches and their price histories; returns how many there were. The log keeps what each was: whom it
 * concerned can be told by nothing else any more.
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
      ...watchesRows.columns,
      eb.selectFrom('brands').select('name').whereRef('brands.id', '=', 'watches.brand_id').as('brand'),
    ])
    .execute()
  for (const { brand_id: _, specs, brand, ...fields } of deleted) {
    const last: DeletedWatch = { ...fields, brand: brand ?? '', specs: JSON.parse(specs) }
    record({ type: 'watch.deleted', subjectId: fields.id, data: { last } })
  }
  return deleted.length
}

/** What the log keeps of a watch that was deleted. */
export interface DeletedWatch extends Omit<WatchRow, 'brand_id' | 'specs'> {
  readonly brand: string
  readonly specs: Readonly<Record<string, unknown>>
}

/** The next watches in order of id, to read them all in bounded steps. */
export function readWatchesAfter(reader: Reader, id: number, limit: number): Promise<WatchRow[]> {
  return selectWatches(reader).where('id', '>', id).orderBy('id').limit(limit).execute()
}

/** What a watch is called, without its document, which is most of it. */
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

/** Without counting them all, which takes a while where there are many. */
export async function hasMoreWatches(reader: Reader, than: number): Promise<boolean> {
  const [one] = await reader.selectFrom('watches').select('id').orderBy('id').limit(1).offset(than).execute()
  return one !== undefined
}

export async function countWatches(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom('watches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function readWatches(reader: Reader, ids: readonly number[]): Promise<WatchRow[]> {
  return selectWatches(reader).where('id', 'in', ids).execute()
}

/** Held until the end of the transaction: two changes at once would both tell of the same old state. */
export function readWatchesForUpdate(tx: Tx, ids: readonly number[]): Promise<WatchRow[]> {
  return selectWatches(tx).where('id', 'in', ids).forUpdate().execute()
}

/** The watch as the API sends it, without what is the same in every watch. */
export interface WatchJson {
  /** The fields but `specs`, `updated_at` the last, each as JSON and with a mark behind it. */
  readonly fields: string
  /** Sent as it is stored. */
  readonly specs: string
}

/** Stands behind a field. A control character, which JSON has only escaped. */
export const fieldMark = '\x1f'

/** What stands before, between and behind the fields: the document's seven in the document's order, then ours. */
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

/** Written by hand, because a million of these are written at start; a number prints as JSON has it, and null too. */
export function watchJson(row: WatchRow, brand: string): WatchJson {
  const { id, collection, reference_number, retail_price_usd, current_market_price } = row
  return {
    fields:
      `${id}\x1f${quoted(brand)}\x1f${quoted(collection)}\x1f${quoted(reference_number)}\x1f` +
      `${retail_price_usd}\x1f${current_market_price}\x1f"${row.updated_at}"\x1f`,
    specs: row.specs,
  }
}

export function watchText({ fields, specs }: WatchJson): string {
  const [id, brand, collection, reference, retail, market, updatedAt] = fields.split(fieldMark)
  const parts = [id, brand, collection, reference, retail, market, specs, updatedAt, '']
  return watchFrame.map((text, at) => `${text}${parts[at]}`).join('')
}

/** ASCII without quotation marks, backslashes and control characters: JSON has it as it is. */
const plain = /^[ !#-[\]-~]*$/

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text)
}

function selectWatches(reader: Reader) {
  return reader.selectFrom('watches').select(watchesRows.columns)
}
