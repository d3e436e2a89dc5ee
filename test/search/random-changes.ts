// Generates random histories: watches that are created, changed, deleted and created again, brands that are added and
// renamed. Writes each to the database and returns the change for the index to apply.
import fc from 'fast-check'
import { readBrands } from '../../src/catalogue/brands.ts'
import { readWatches, type WatchRow } from '../../src/catalogue/watches.ts'
import type { CatalogueChange } from '../../src/search/index/watch-index.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { type RandomWatch, randomWatch } from './random-catalogue.ts'
import { insertBrand, insertWatches } from './stored-catalogue.ts'

export interface RandomChange {
  readonly kind:
    | 'create'
    | 'leap'
    | 'update'
    | 'price'
    | 'delete'
    | 'revive'
    | 'late'
    | 'brand'
    | 'alias'
    | 'rename'
  /** The index of the watch or brand, modulo their number. */
  readonly pick: number
  readonly watch: RandomWatch
}

const kinds: readonly { weight: number; kind: RandomChange['kind'] }[] = [
  { weight: 12, kind: 'create' },
  { weight: 2, kind: 'leap' },
  { weight: 10, kind: 'update' },
  { weight: 6, kind: 'price' },
  { weight: 8, kind: 'delete' },
  { weight: 4, kind: 'revive' },
  { weight: 2, kind: 'late' },
  { weight: 2, kind: 'brand' },
  { weight: 1, kind: 'alias' },
  { weight: 1, kind: 'rename' },
]
const kind = fc.oneof(...kinds.map((one) => ({ weight: one.weight, arbitrary: fc.constant(one.kind) })))

/** Several batches; the index applies each as one change. */
export const randomHistory: fc.Arbitrary<RandomChange[][]> = fc.array(
  fc.array(fc.record({ kind, pick: fc.nat(10_000), watch: randomWatch }), { minLength: 1, maxLength: 12 }),
  { minLength: 1, maxLength: 6 },
)

/** Writes the batch to the database; returns the change for the index. */
export async function writeChanges(
  database: Database,
  batch: readonly RandomChange[],
  sequence: number,
): Promise<CatalogueChange> {
  const ids = new Set<number>()
  await database.write(async (tx) => {
    for (const change of batch) ids.add(await writeChange(tx, change))
  })
  const rows = await readWatches(database.reader, [...ids])
  return {
    watches: new Map([...ids].filter((id) => id > 0).map((id) => [id, rows.find((row) => row.id === id)])),
    brands: await readBrands(database.reader),
    sequence,
    commitId: String(sequence),
    readAt: sequence,
    at: '2026-03-02T00:00:00.000Z',
  }
}

/** Returns the id of the changed watch, or 0 if none changed. */
async function writeChange(tx: Tx, { kind, pick, watch }: RandomChange): Promise<number> {
  const brands = await tx.selectFrom('brands').select(['id', 'name']).orderBy('id').execute()
  const watches = await tx.selectFrom('watches').select('id').orderBy('id').execute()
  const brandIndex = pick % brands.length
  const brand = brands[brandIndex] as { id: number; name: string }
  const some = watches[pick % Math.max(1, watches.length)]?.id
  const last = watches.at(-1)?.id ?? 0
  const { brand: _, step, ...draft } = watch
  const row = (id: number): WatchRow => ({ ...draft, id, brand_id: brand.id })
  switch (kind) {
    case 'create':
      return insert(tx, row(last + step))
    case 'leap':
      return insert(tx, row(last + 10 + (pick % 90)))
    case 'revive':
    case 'late': {
      const taken = new Set(watches.map(({ id }) => id))
      const free = Array.from({ length: last }, (_, at) => last - at).filter((id) => !taken.has(id))
      const id = kind === 'revive' ? free[0] : free[pick % Math.max(1, free.length)]
      return id === undefined ? 0 : insert(tx, row(id))
    }
    case 'brand': {
      const name = `Brand ${pick}`
      const isTaken = brands.some((other) => other.name === name)
      if (!isTaken) await insertBrand(tx, { name, slug: `brand-${pick}`, aliases: ['Ω', `b${pick}`] })
      return 0
    }
    case 'alias':
      await tx
        .updateTable('brands')
        .set({ aliases: `["crown","x${pick}"]` })
        .where('id', '=', brand.id)
        .execute()
      return 0
    case 'rename':
      await tx
        .updateTable('brands')
        .set({ name: `New ${pick} ${brand.id}` })
        .where('id', '=', brand.id)
        .execute()
      return 0
  }
  if (some === undefined) return 0
  const { id: _id, ...changed } = row(some)
  const { retail_price_usd, current_market_price, updated_at } = changed
  if (kind === 'delete') await tx.deleteFrom('watches').where('id', '=', some).execute()
  else {
    const set = kind === 'price' ? { retail_price_usd, current_market_price, updated_at } : changed
    await tx.updateTable('watches').set(set).where('id', '=', some).execute()
  }
  return some
}

async function insert(tx: Tx, row: WatchRow): Promise<number> {
  await insertWatches(tx, [row])
  return row.id
}
