// Creates and reads brands, and declares their table.
import type { Generated, Selectable } from 'kysely'
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Reader, Tables, Tx } from '../storage/database.ts'

declare module '../storage/database.ts' {
  interface Tables {
    brands: {
      id: Generated<number>
      name: string
      slug: string
      aliases: string
      country: string | null
      founded_year: number | null
      website: string | null
      updated_at: string
    }
  }
}

/** A brand as the database stores it; `aliases` is the JSON text of the list. */
export type BrandRow = Readonly<Selectable<Tables['brands']>>

export interface BrandDraft extends Omit<BrandRow, 'id' | 'aliases' | 'updated_at'> {
  readonly aliases: readonly string[]
}

/** Creates the brand and returns its id. */
export async function createBrand(
  tx: Tx,
  clock: Clock,
  record: (change: NewChange) => void,
  draft: BrandDraft,
): Promise<number> {
  const { id } = await tx
    .insertInto('brands')
    .values({ ...draft, aliases: JSON.stringify(draft.aliases), updated_at: clock.now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  record({ type: 'brand.created', subjectId: id })
  return id
}

export function readBrands(reader: Reader): Promise<BrandRow[]> {
  return reader.selectFrom('brands').selectAll().orderBy('id').execute()
}
