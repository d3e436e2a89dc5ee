// Finds the watch of a price: by id, by brand and reference, or by a reference that only one watch has. The references
// of the catalogue are read once, and only if a file has any.
import type { BrandFinder } from '../../catalogue/find-brand.ts'
import { Failure } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { shown } from '../cells/clean-text.ts'
import { ambiguousId, Identities } from '../identities.ts'
import { eachWatch, referenceIdentity } from '../watches/identity.ts'

/** The id that was found, or the reason why none was. */
export type FoundWatch = number | { readonly reason: string; readonly isOfBrand?: true }

/** Words of a column's name that are checked: the brand may end after any of them. */
const headerWordsMax = 20

export class PriceWatches {
  readonly #reader: Reader
  readonly #brands: BrandFinder
  /** The brand of rows and columns that name none. */
  readonly #brandId: number | undefined
  #identities: Identities | undefined

  constructor(reader: Reader, brands: BrandFinder, brand: string | undefined) {
    this.#reader = reader
    this.#brands = brands
    this.#brandId = brand === undefined ? undefined : getBrand(brands, brand)
  }

  /** Must be awaited before references are looked up. */
  async readReferences(): Promise<void> {
    if (this.#identities !== undefined) return
    const identities = new Identities()
    for await (const { id, brand_id, reference_number } of eachWatch(this.#reader)) {
      for (const brand of [brand_id, '*'] as const) {
        const identity = referenceIdentity(brand, reference_number)
        if (identity !== undefined) identities.putExisting(identity, id)
      }
    }
    this.#identities = identities
  }

  /** Returns those of the ids that exist as watches. */
  async findIds(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#reader.selectFrom('watches').select('id').where('id', 'in', ids).execute()
    return new Set(rows.map(({ id }) => id))
  }

  /** `brand` is empty if the file does not name one. */
  findByReference(reference: string, brand: string): FoundWatch {
    const brandId = brand === '' ? this.#brandId : this.#findBrand(brand)
    return typeof brandId === 'object' ? brandId : this.#find(reference, brandId)
  }

  /** Finds a watch by a column's name: a reference, or a brand and a reference. */
  findByHeader(header: string): FoundWatch {
    const alone = this.#find(header, this.#brandId)
    if (typeof alone === 'number') return alone
    const words = header.trim().split(/\s+/, headerWordsMax)
    const found = new Set<number>()
    for (let cut = 1; cut < words.length; cut++) {
      const brand = this.#brands.find(words.slice(0, cut).join(' '))
      if (brand === undefined) continue
      const watch = this.#find(words.slice(cut).join(' '), brand.id)
      if (typeof watch === 'number') found.add(watch)
    }
    const [one, other] = found
    return one === undefined || other !== undefined ? alone : one
  }

  #find(reference: string, brandId: number | undefined): FoundWatch {
    const identity = referenceIdentity(brandId ?? '*', reference.trim())
    const place = identity === undefined ? undefined : this.#identities?.find(identity)
    const raw = shown(reference)
    const name = brandId === undefined ? raw : `${this.#brands.name(brandId)} ${raw}`
    if (place === undefined) return { reason: `The catalogue has no watch ${name}.` }
    const id = this.#identities?.id(place) as number
    if (id !== ambiguousId) return id
    const more = brandId === undefined ? 'name the brand, too, or give --brand' : 'give the id of one'
    return { reason: `The catalogue has several watches ${name}: ${more}.` }
  }

  #findBrand(raw: string): FoundWatch {
    const brand = this.#brands.find(raw)
    if (brand !== undefined) return brand.id
    const isKnown = this.#brands.findAll(raw).length > 0
    const reason = isKnown
      ? `Several brands are called ${shown(raw)}.`
      : `The catalogue has no brand ${shown(raw)}.`
    return { reason, isOfBrand: true }
  }
}

function getBrand(brands: BrandFinder, raw: string): number {
  const brand = brands.find(raw)
  if (brand !== undefined) return brand.id
  const isKnown = brands.findAll(raw).length > 0
  throw new Failure(
    isKnown
      ? `Several brands are called ${raw}: give --brand by the name or the slug of one.`
      : `The catalogue has no brand ${raw}: check --brand.`,
  )
}
