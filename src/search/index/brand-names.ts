// In charge of the brands as the index knows them: by id, and by every name they go by.
import type { BrandRow } from '../../catalogue/brands.ts'
import { foldText } from '../../specs/fold.ts'

export class BrandNames {
  readonly rows: readonly BrandRow[]
  readonly #byId: ReadonlyMap<number, BrandRow>
  readonly #bySlug: ReadonlyMap<string, BrandRow>
  readonly #ranks: ReadonlyMap<number, number>
  readonly #ids = new Map<string, Set<number>>()

  constructor(rows: readonly BrandRow[]) {
    this.rows = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    this.#bySlug = new Map(rows.map((row) => [row.slug, row]))
    this.#ranks = rankBrands(rows)
    for (const { id, name, slug, aliases } of rows) {
      for (const known of [name, slug, ...(JSON.parse(aliases) as string[])]) {
        const folded = foldText(known)
        this.#ids.set(folded, (this.#ids.get(folded) ?? new Set()).add(id))
      }
    }
  }

  find(id: number): BrandRow | undefined {
    return this.#byId.get(id)
  }

  /** By its id in plain digits, or by its slug. */
  findByPath(written: string): BrandRow | undefined {
    return (
      this.#bySlug.get(written) ?? (/^[1-9]\d{0,15}$/.test(written) ? this.find(Number(written)) : undefined)
    )
  }

  /** The brands of that name, slug or alias: an alias may be of several. */
  idsOf(written: string): readonly number[] {
    return [...(this.#ids.get(foldText(written)) ?? [])].sort((one, other) => one - other)
  }

  rank(id: number): number {
    return this.#ranks.get(id) ?? Number.NaN
  }
}

/** Where each brand stands by its folded name; brands of one name stand together. */
export function rankBrands(brands: readonly Pick<BrandRow, 'id' | 'name'>[]): Map<number, number> {
  const folded = new Map(brands.map(({ id, name }) => [id, foldText(name)]))
  const ranks = new Map([...new Set(folded.values())].sort(compareTexts).map((name, rank) => [name, rank]))
  return new Map([...folded].map(([id, name]) => [id, ranks.get(name) as number]))
}

/** By code units: the same on every machine, whatever its language. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
