// Looks up brands by id, slug, name or alias, and ranks them by name.
import type { BrandRow } from '../../catalogue/brands.ts'
import { foldBrand, foldLetters, foldText, foldWords } from '../../specs/fold.ts'
import type { Nickname, Nicknames } from '../../specs/nicknames.ts'
import { compareTexts } from '../dictionary/sort-by-text.ts'

export class BrandNames {
  readonly rows: readonly BrandRow[]
  readonly #byId: ReadonlyMap<number, BrandRow>
  readonly #bySlug: ReadonlyMap<string, BrandRow>
  readonly #ranks: ReadonlyMap<number, number>
  readonly #ids = new Map<string, Set<number>>()
  /** By name, slug or alias without accents and punctuation, then also with `oe` for `ö`. */
  readonly #idsByLetters = new Map<string, Set<number>>()
  readonly #idsByPlainLetters = new Map<string, Set<number>>()
  readonly #words = new Map<number, readonly string[]>()
  /** All names of a brand that the table of nicknames has, by each. */
  readonly #shortNames: ReadonlyMap<string, readonly string[]>
  readonly #nicknames: Nicknames
  /** By brand, filled when the first is asked for: the table may call a brand by any of its names. */
  #nicknamesById: ReadonlyMap<number, readonly Nickname[]> | undefined
  #shortNamesById: ReadonlyMap<number, readonly string[]> | undefined

  constructor(rows: readonly BrandRow[], nicknames: Nicknames) {
    this.rows = rows
    this.#nicknames = nicknames
    this.#shortNames = new Map(
      nicknames.brands.flatMap((names) =>
        // The words of `q` have lost the marks of Japanese letters, too.
        names.flatMap((name) =>
          [foldBrand(name), foldLetters(name)].map((letters) => [letters, names] as const),
        ),
      ),
    )
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    this.#bySlug = new Map(rows.map((row) => [row.slug, row]))
    this.#ranks = rankBrands(rows)
    for (const { id, name, slug, aliases } of rows) {
      const names = [name, slug, ...(JSON.parse(aliases) as string[])]
      this.#words.set(id, names.flatMap(foldWords))
      for (const known of names) {
        this.#ids.getOrInsertComputed(foldText(known), () => new Set()).add(id)
        const letters = foldBrand(known)
        this.#idsByLetters.getOrInsertComputed(letters, () => new Set()).add(id)
        this.#idsByPlainLetters.getOrInsertComputed(withoutUmlauts(letters), () => new Set()).add(id)
      }
    }
  }

  find(id: number): BrandRow | undefined {
    return this.#byId.get(id)
  }

  /** Finds a brand by the path segment of its URL: its slug, or its id in decimal digits. */
  findByPath(written: string): BrandRow | undefined {
    return (
      this.#bySlug.get(written) ?? (/^[1-9]\d{0,15}$/.test(written) ? this.find(Number(written)) : undefined)
    )
  }

  /**
   * Returns the ids of the brands with that name, slug or alias: several brands may share an alias. If no brand is
   * called so, accents and punctuation do not matter either, as in an import, and the short names of the table of
   * nicknames count.
   */
  idsOf(written: string): readonly number[] {
    const ids = this.#ids.get(foldText(written)) ?? this.#bySpelling(foldBrand(written))
    return [...(ids ?? [])].sort((one, other) => one - other)
  }

  #bySpelling(letters: string): ReadonlySet<number> | undefined {
    const idsCalled = (name: string) => this.#byLetters(foldBrand(name))
    return this.#byLetters(letters) ?? this.#shortNames.get(letters)?.map(idsCalled).find(isDefined)
  }

  #byLetters(letters: string): ReadonlySet<number> | undefined {
    if (letters === '') return undefined
    return this.#idsByLetters.get(letters) ?? this.#idsByPlainLetters.get(withoutUmlauts(letters))
  }

  /** Returns the nicknames of the brand's watches. */
  nicknamesOf(id: number): readonly Nickname[] {
    this.#nicknamesById ??= this.#byBrand(
      Map.groupBy(this.#nicknames.watches, ({ brand }) => brand),
      ([brand]) => [brand],
      ([, nicknames]) => nicknames,
    )
    return this.#nicknamesById.get(id) ?? []
  }

  /** Returns the names that the table of nicknames has for the brand. */
  shortNamesOf(id: number): readonly string[] {
    const same = (names: readonly string[]) => names
    this.#shortNamesById ??= this.#byBrand(this.#nicknames.brands, same, same)
    return this.#shortNamesById.get(id) ?? []
  }

  #byBrand<T, U>(
    items: Iterable<T>,
    namesOf: (item: T) => readonly string[],
    valuesOf: (item: T) => readonly U[],
  ): Map<number, U[]> {
    const byBrand = new Map<number, U[]>()
    for (const item of items) {
      for (const id of new Set(namesOf(item).flatMap((name) => this.idsOf(name))))
        byBrand.getOrInsertComputed(id, () => []).push(...valuesOf(item))
    }
    return byBrand
  }

  /** Returns the words of the brand's name, slug and aliases. */
  words(id: number): readonly string[] {
    return this.#words.get(id) ?? []
  }

  rank(id: number): number {
    return this.#ranks.get(id) ?? Number.NaN
  }
}

/** German keyboards have `ö`, others write `oe` or `o`. */
function withoutUmlauts(letters: string): string {
  return letters.replace(/([aou])e/g, '$1')
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}

/** Returns the rank of each brand in order of folded name; brands with the same folded name share a rank. */
export function rankBrands(brands: readonly Pick<BrandRow, 'id' | 'name'>[]): Map<number, number> {
  const folded = new Map(brands.map(({ id, name }) => [id, foldText(name)]))
  const ranks = new Map([...new Set(folded.values())].sort(compareTexts).map((name, rank) => [name, rank]))
  return new Map([...folded].map(([id, name]) => [id, ranks.get(name) as number]))
}
