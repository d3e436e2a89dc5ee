// Generates random catalogues: a few brands, and documents with clashing and hostile values.
import fc from 'fast-check'
import { anyCodePoint } from '../any-code-point.ts'
import { commonValues, hostileKeys, knownKeys, knownValues, tameKeys } from './hostile-values.ts'

export interface RandomBrand {
  readonly name: string
  readonly slug: string
  readonly aliases: readonly string[]
}

export interface RandomWatch {
  /** The index of the brand, modulo the number of brands. */
  readonly brand: number
  /** The difference between its id and the previous one. */
  readonly step: number
  readonly collection: string
  readonly reference_number: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  /** The JSON text of the document, as stored. */
  readonly specs: string
  readonly updated_at: string
}

export interface RandomCatalogue {
  readonly brands: readonly RandomBrand[]
  readonly watches: readonly RandomWatch[]
}

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...commonValues) },
  { weight: 5, arbitrary: fc.constantFrom(...knownValues) },
  { weight: 1, arbitrary: fc.string({ unit: anyCodePoint, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
)
const object = fc.oneof(
  fc.constantFrom<object>({}, { a: 1 }, { b: ['Black'], a: null }),
  fc.dictionary(fc.constantFrom(...knownKeys), scalar, { maxKeys: 2 }),
)
const list = fc.array(
  fc.oneof(scalar, scalar, fc.constant(null), object, fc.array(scalar, { maxLength: 2 })),
  {
    maxLength: 4,
  },
)
/** Any value a spec can have. */
const specValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: scalar },
  { weight: 3, arbitrary: list },
  { weight: 1, arbitrary: object },
  { weight: 1, arbitrary: fc.constant(null) },
)

const specKey = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...tameKeys) },
  { weight: 3, arbitrary: fc.constantFrom(...hostileKeys) },
  { weight: 1, arbitrary: fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 6 }) },
)

/**
 * The JSON text of a document. Built by hand, because assigning the key `__proto__` to an object would not store it.
 */
const specDocument: fc.Arbitrary<string> = fc
  .uniqueArray(fc.tuple(specKey, specValue), { selector: ([key]) => key, maxLength: 6 })
  .map((pairs) => `{${pairs.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join(',')}}`)

const price = fc.oneof(
  fc.constant(null),
  fc.constantFrom(0, 100, 100.5, 5_000, 5_000, 12_000.25),
  fc.integer({ min: 0, max: 20 }),
)
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('Royal Oak', 'ROYAL  OAK', 'Lange 1', '', '5', 'Grey', 'Gray', 'Été', 'ete'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: anyCodePoint, maxLength: 8 }).map((text) => text.toWellFormed()),
  },
)
const reference = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('191.032', '191032', '191-032/A', '310.30.42', 'SBGA 211', '...', ''),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 10 }) },
)

export const randomWatch: fc.Arbitrary<RandomWatch> = fc.record({
  brand: fc.nat(5),
  step: fc.oneof(
    { weight: 6, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 60 }) },
  ),
  collection: name,
  reference_number: reference,
  retail_price_usd: price,
  current_market_price: price,
  specs: specDocument,
  updated_at: fc.nat(4).map((hour) => `2026-03-01T0${hour}:00:00.000Z`),
})

/** Brands with shared aliases, names that differ only in case or punctuation, and an alias that is another brand's name. */
const brands: readonly RandomBrand[] = [
  { name: 'Omega', slug: 'omega', aliases: ['Ω', 'Big O'] },
  { name: 'Rolex', slug: 'rolex', aliases: ['crown', 'big o'] },
  { name: 'A. Lange & Söhne', slug: 'a-lange-sohne', aliases: ['Lange', 'ALS'] },
  { name: 'OMEGA', slug: 'omega-2', aliases: [] },
  { name: 'A Lange und Sohne', slug: 'lange-2', aliases: [] },
  { name: 'éclat', slug: 'eclat', aliases: ['Rolex', ''] },
  { name: 'Zenith', slug: 'zenith', aliases: ['Ω'] },
]

export const randomCatalogue: fc.Arbitrary<RandomCatalogue> = fc.record({
  brands: fc.shuffledSubarray([...brands], { minLength: 1 }),
  watches: fc.oneof(
    fc.array(randomWatch, { maxLength: 8 }),
    fc.array(randomWatch, { maxLength: 60, size: 'max' }),
    fc.array(randomWatch, { minLength: 60, maxLength: 200, size: 'max' }),
  ),
})
