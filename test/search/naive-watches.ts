// Reads the rows of a catalogue for the naive list: each watch's brand, its values as the vocabulary reads them, its
// words. Uses only database rows and src/specs; nothing here knows that there is an index.
import type { BrandRow } from '../../src/catalogue/brands.ts'
import type { WatchRow } from '../../src/catalogue/watches.ts'
import { foldBrand, foldReference, foldText, foldWords } from '../../src/specs/fold.ts'
import { type Reading, scalarsOf, type Vocabulary } from '../../src/specs/vocabulary.ts'

export interface Catalogue {
  readonly brands: readonly BrandRow[]
  readonly watches: readonly WatchRow[]
}

interface NaiveValue {
  readonly scalar: string | number | boolean
  readonly reading: Reading
}

export interface NaiveWatch {
  readonly row: WatchRow
  readonly brand: BrandRow
  readonly json: string
  /** Every name of the brand, folded. */
  readonly brandNames: readonly string[]
  /** Every name of the brand, without accents and punctuation. */
  readonly brandLetters: readonly string[]
  /** Every name of every brand, folded. */
  readonly allNames: ReadonlySet<string>
  readonly collection: Reading
  readonly reference: string
  /** The values of each key that is present and not null. */
  readonly specs: ReadonlyMap<string, readonly NaiveValue[]>
  readonly words: ReadonlySet<string>
}

/** The watches in order of id. */
export function readCatalogue({ brands, watches }: Catalogue, vocabulary: Vocabulary): NaiveWatch[] {
  const allNames = new Set(brands.flatMap(namesOf).map(foldText))
  const brandOf = (row: WatchRow) => brands.find(({ id }) => id === row.brand_id) as BrandRow
  return watches
    .map((row) => ({ ...readWatch(row, brandOf(row), vocabulary), allNames }))
    .sort((one, other) => one.row.id - other.row.id)
}

function readWatch(row: WatchRow, brand: BrandRow, vocabulary: Vocabulary): Omit<NaiveWatch, 'allNames'> {
  const specs = new Map<string, NaiveValue[]>()
  for (const [key, value] of Object.entries(JSON.parse(row.specs))) {
    if (value === null) continue
    specs.set(
      key,
      scalarsOf(value).map((scalar) => ({ scalar, reading: vocabulary.read(key, scalar) })),
    )
  }
  const reference = foldReference(row.reference_number)
  // Both the raw text and the value it is read as: `39.50` is found by 50 and by 5.
  const values = [...specs.values()]
    .flat()
    .flatMap(({ scalar, reading }) => [String(scalar), reading.exact.slice(1)])
  const texts = [brand.name, row.collection, row.reference_number, reference, ...values]
  return {
    row,
    brand,
    json: sentAs(row, brand.name),
    brandNames: namesOf(brand).map(foldText),
    brandLetters: namesOf(brand).map(foldBrand),
    collection: vocabulary.read('collection', row.collection),
    reference,
    specs,
    words: new Set(texts.flatMap(foldWords)),
  }
}

/** The JSON of a watch: seven fields in documented order, then `updated_at`; the specs as stored. */
function sentAs(row: WatchRow, brand: string): string {
  const { id, collection, reference_number, retail_price_usd, current_market_price } = row
  const head = { id, brand, collection, reference_number, retail_price_usd, current_market_price }
  return `${JSON.stringify(head).slice(0, -1)},"specs":${row.specs},"updated_at":"${row.updated_at}"}`
}

export function namesOf({ name, slug, aliases }: BrandRow): string[] {
  return [name, slug, ...(JSON.parse(aliases) as string[])]
}
