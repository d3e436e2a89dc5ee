// Finds the brand that each row of an import names, and creates the missing ones. A brand keeps one number throughout
// the import, even before it is written.
import type { BrandRow } from '../../catalogue/brands.ts'
import { type BrandFinder, brandLetters, slugFor } from '../../catalogue/find-brand.ts'
import type { StagedRun } from '../../catalogue/runs/staged-run.ts'
import { Failure } from '../../errors.ts'
import { foldBrand, foldText } from '../../specs/fold.ts'

export interface RunBrand {
  /** The brand's id, or a negative number if the import creates it. */
  readonly number: number
  readonly name: string
  readonly slug: string
  /** Undefined until the brand is staged. */
  id: number | undefined
}

const madeMax = 5_000
const askedMax = 20_000

export class RunBrands {
  readonly #finder: BrandFinder
  /** Cache of lookups, by the name as given and how it was looked up. */
  readonly #asked = new Map<string, RunBrand | undefined>()
  /** New brands, by folded name and by slug. */
  readonly #made = new Map<string, RunBrand>()
  /** New brands, by name without accents and punctuation: the first of those that share it. */
  readonly #madeByLetters = new Map<string, RunBrand>()
  #madeCount = 0
  /** New brands that a watch will have. Others are not created: a row may be rejected after its brand was looked up. */
  readonly #used = new Set<RunBrand>()

  constructor(finder: BrandFinder) {
    this.#finder = finder
  }

  get madeCount(): number {
    return this.#used.size
  }

  /**
   * Returns the brand of that name, a new one if the catalogue has none, or undefined if several have that name.
   * `isSpelled`: accents and punctuation matter, as in an export, whose brands must not be merged.
   */
  find(raw: string, isSpelled = false): RunBrand | undefined {
    const asked = isSpelled ? `=${raw}` : `~${raw}`
    if (this.#asked.has(asked)) return this.#asked.get(asked)
    const brand = this.#look(raw, isSpelled)
    if (this.#asked.size === askedMax) this.#asked.clear()
    this.#asked.set(asked, brand)
    return brand
  }

  /** Marks a new brand to be staged with the next batch. */
  use(brand: RunBrand): void {
    if (brand.number < 0) this.#used.add(brand)
  }

  /** The name of a brand by its id. */
  name(id: number): string {
    return this.#finder.name(id)
  }

  /** Stages the used brands that are not in the catalogue yet. */
  async stageNew(run: StagedRun): Promise<void> {
    const missing = [...this.#used].filter(({ id }) => id === undefined)
    const ids = await run.brandIds.take(missing.length)
    for (const [at, brand] of missing.entries()) {
      const { name, slug } = brand
      const id = ids[at] as number
      brand.id = id
      const after: BrandRow = {
        ...{ id, name, slug, aliases: '[]', country: null, founded_year: null, website: null },
        updated_at: '',
      }
      run.changeBrands([{ before: undefined, after }], [{ type: 'brand.created', subjectId: id }])
      this.#finder.add(after)
    }
  }

  #look(raw: string, isSpelled: boolean): RunBrand | undefined {
    const made = this.#made.get(foldText(raw))
    if (made !== undefined) return made
    const rows = isSpelled ? this.#finder.findSpelled(raw) : this.#finder.findAll(raw)
    const row = rows.length === 1 ? rows[0] : rows.find(({ name }) => name === raw)
    if (row !== undefined) return { number: row.id, id: row.id, name: row.name, slug: row.slug }
    if (rows.length > 0) return undefined
    const known = isSpelled ? [] : brandLetters(raw).map((letters) => this.#madeByLetters.get(letters))
    return known.find((brand) => brand !== undefined) ?? this.#make(raw)
  }

  /** From now on the brand is found by its name and its slug, as it will be after it is written. */
  #make(name: string): RunBrand {
    if (this.#madeCount === madeMax) {
      throw new Failure(
        `The files name more than ${madeMax} brands that the catalogue does not have: is the right column mapped to brand?`,
      )
    }
    const isTaken = (slug: string) => this.#made.has(slug) || this.#finder.findAll(slug).length > 0
    this.#madeCount++
    const brand: RunBrand = { number: -this.#madeCount, id: undefined, name, slug: slugFor(name, isTaken) }
    this.#made.set(foldText(name), brand)
    this.#made.set(brand.slug, brand)
    for (const letters of [foldBrand(name), foldBrand(brand.slug)])
      if (letters !== '') this.#madeByLetters.getOrInsert(letters, brand)
    return brand
  }
}
