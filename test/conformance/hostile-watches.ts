// Generates random watches that are hard to export: documents with keys in any order, values that look like other
// values or like formulas, unusual but valid JSON, and names in quotation marks.
import fc from 'fast-check'
import { anyCodePoint } from '../any-code-point.ts'
import { hostileKeys, knownValues } from '../search/hostile-values.ts'
import type { RandomCatalogue } from '../search/random-catalogue.ts'

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '=HYPERLINK("http://x","y")']
const lookalikes = [
  'true',
  'null',
  '[1]',
  '{}',
  '{"a":1}',
  '"quoted"',
  '"',
  '""',
  '1',
  '-5',
  '1.0',
  '007',
  '1e5',
]
const scalar = fc.oneof(
  fc.constantFrom<unknown>(...knownValues, ...formulas, ...lookalikes),
  fc.constantFrom<unknown>(null, true, false, '', ' ', 0, 1, -5),
  fc.string({ unit: anyCodePoint, maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...hostileKeys), scalar, { maxKeys: 2 }) },
)
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('dial_color', 'movement', 'Case size', 'x', 'y.z', 'ø') },
  { weight: 2, arbitrary: fc.constantFrom(...hostileKeys, 'a, b', 'a;b', ' a', '=1') },
  { weight: 1, arbitrary: fc.string({ unit: anyCodePoint, maxLength: 6 }) },
)
const member = fc.tuple(key, value).map((pair) => pair.map((part) => JSON.stringify(part)).join(':'))
const spelled = fc.constantFrom(
  '{}',
  '{ "x" : 1 }',
  '{"x":1.0}',
  '{"x":1e5}',
  '{"x":-0}',
  '{"x":"\\u0041"}',
  '{"x":1,"x":2}',
  '{"\\u0078":1}',
  '{"x":\n1}',
  '{"x":[1, 2]}',
  '{"y":1,"7":2}',
  '{"x":1e400}',
  '{"x":12345678901234567890}',
)
const document = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .uniqueArray(member, {
        selector: (one) => JSON.parse(`{${one}}`) && Object.keys(JSON.parse(`{${one}}`))[0],
        maxLength: 6,
      })
      .map((members) => `{${members.join(',')}}`),
  },
  { weight: 1, arbitrary: spelled },
)

/** Without what no name may contain: control characters and lone surrogates. */
const name = fc.oneof(
  fc.constantFrom(
    'Royal Oak',
    '126334',
    '=1',
    '+x',
    '-x',
    '@x',
    '"x"',
    '"',
    ' x ',
    '\u00a0',
    'true',
    '1.0',
    'ß',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 8 }).map((text) => text.toWellFormed().replace(/\p{Cc}/gu, '')),
)
const price = fc.oneof(
  fc.constant(null),
  fc.nat(),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
  fc.constant(0.1),
)

const brands = ['Omega', 'OMEGA', '=Omega', '"Omega"', 'A. Lange & Söhne', '42', '-'].map((one, at) => ({
  name: one,
  slug: `brand-x${at}`,
  aliases: at % 2 === 0 ? [] : ['Big O', '', '"', `=${at}`],
}))

export const hostileCatalogue: fc.Arbitrary<RandomCatalogue> = fc.record({
  brands: fc.constant(brands),
  watches: fc.array(
    fc.record({
      brand: fc.nat(brands.length - 1),
      step: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 60 })),
      collection: name,
      reference_number: name.map((text) => text || 'x'),
      retail_price_usd: price,
      current_market_price: price,
      specs: document,
      updated_at: fc.nat(9).map((hour) => `2026-03-01T0${hour}:00:00.000Z`),
    }),
    { maxLength: 40, size: 'max' },
  ),
})
