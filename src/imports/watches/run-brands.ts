// In charge of the brands of an import: which one a row means, and those that have to be made. A brand has one number
// throughout the import, also before it is written.
import { type BrandRow, createBrand } from '../../catalogue/brands.ts'
import { type BrandFinder, slugFor } from '../../catalogue/find-brand.ts'
import type { NewChange } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { foldText } from '../../specs/fold.ts'
import type { Tx } from '../../storage/database.ts'

export interface RunBrand {
  /** Its id, or a negative number if the import made it. */
  readonly number: number
  readonly name: string
  readonly slug: string
  /** Undefined until it is written. */
  id: number | undefined
}

const madeMax = 5_000
const askedMax = 20_000

export class RunBrands {
  readonly #finder: BrandFinder
  /** What was asked for, as it was written. */
  readonly #asked = new Map<string, RunBrand | undefined>()
  /** By folded name, and by slug. */
  readonly #made = new Map<string, RunBrand>()
  #madeCount = 0
  /** Those that a watch will have: a row may be refused after its brand was looked up. */
  readonly #used = new Set<RunBrand>()

  constructor(finder: BrandFinder) {
    this.#finder = finder
  }

  get madeCount(): number {
    return this.#used.size
  }

  /** The brand of that name, which is to be made if there is none; undefined where several are called so. */
  find(written: string): RunBrand | undefined {
    if (this.#asked.has(written)) return this.#asked.get(written)
    const brand = this.#look(written)
    if (this.#asked.size === askedMax) this.#asked.clear()
    this.#asked.set(written, brand)
    return brand
  }

  /** Has it made with the next batch, if need be. */
  use(brand: RunBrand): void {
    if (brand.number < 0) this.#used.add(brand)
  }

  /** By id, or by the number of one that is not written yet. */
  name(number: number): string {
    const made = number < 0 ? [...this.#used].find((brand) => brand.number === number) : undefined
    return made?.name ?? this.#finder.name(number)
  }

  /** Writes those that are used and not there. */
  async write(tx: Tx, clock: Clock, record: (change: NewChange) => void): Promise<void> {
    for (const brand of this.#used) {
      if (brand.id !== undefined) continue
      const { name, slug } = brand
      const draft = { name, slug, aliases: [], country: null, founded_year: null, website: null }
      brand.id = await createBrand(tx, clock, record, draft)
      const row: BrandRow = { ...draft, id: brand.id, aliases: '[]', updated_at: clock.now().toISOString() }
      this.#finder.add(row)
    }
  }

  #look(written: string): RunBrand | undefined {
    const made = this.#made.get(foldText(written))
    if (made !== undefined) return made
    const row = this.#finder.find(written)
    if (row !== undefined) return { number: row.id, id: row.id, name: row.name, slug: row.slug }
    if (this.#finder.findAll(written).length > 0) return undefined
    return this.#make(written)
  }

  /** Known by its name and its slug from now on, as it will be when it is written. */
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
    return brand
  }
}
