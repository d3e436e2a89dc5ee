// Creates, reads and counts brands, and declares their table.
import type { Generated } from 'kysely'
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import type { Reader, Tx } from '../storage/database.ts'

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

export interface BrandDraft {
  readonly name: string
  readonly slug: string
  readonly aliases: readonly string[]
  readonly country: string | null
  readonly founded_year: number | null
  readonly website: string | null
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

/** A brand as the database stores it; `aliases` is the JSON text of the list. */
export interface BrandRow extends Omit<BrandDraft, 'aliases'> {
  readonly id: number
  readonly aliases: string
  readonly updated_at: string
}

export function readBrands(reader: Reader): Promise<BrandRow[]> {
  return reader.selectFrom('brands').selectAll().orderBy('id').execute()
}

export async function countBrands(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom('brands')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
