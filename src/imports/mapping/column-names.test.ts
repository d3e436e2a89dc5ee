import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { readColumnName } from './column-names.ts'

const targets: readonly [string, readonly string[]][] = [
  ['brand', ['Brand', 'BRAND', 'brand_name', 'Manufacturer', 'Maker', 'Make', 'Marke', 'Marque']],
  [
    'collection',
    ['Collection', 'Model', 'Family', 'Line', 'Series', 'Model Name', 'modelName', 'Modell', 'Modèle'],
  ],
  [
    'reference_number',
    [
      'Reference',
      'Ref',
      'Ref.',
      'Ref No',
      'Ref. No.',
      'Ref #',
      'Reference Number',
      'reference_number',
      'RefNo',
    ],
  ],
  [
    'reference_number',
    ['Model No', 'Model Number', 'modelNumber', 'Model Ref', 'MPN', 'Referenz', 'Référence', 'Part Number'],
  ],
  ['retail_price_usd', ['MSRP', 'RRP', 'Retail Price', 'retailPrice', 'List Price', 'UVP', 'New Price']],
  [
    'current_market_price',
    [
      'Price',
      'Market Price',
      'current-price',
      'Asking Price',
      'Selling Price',
      'Listing Price',
      'Resale Value',
    ],
  ],
  [
    'specs.dial_color',
    ['Dial Colour', 'dialColor', 'DIAL_COLOR', 'Dial color', 'dial.color', 'Zifferblattfarbe'],
  ],
  ['specs.movement_type', ['Movement', 'Movement Type', 'Winding', 'movement_type']],
  ['specs.case_material', ['Case', 'Case Material', 'Gehäuse']],
  [
    'specs.bracelet_material',
    ['Bracelet', 'Strap', 'Bracelet Material', 'Strap Material', 'bracelet/strap'.slice(0, 8)],
  ],
  ['specs.crystal', ['Crystal', 'Glass']],
  [
    'specs.case_diameter',
    ['Diameter', 'Case Size', 'Case Diameter', 'Size', 'Dimensions', 'Ø Diameter'.slice(2)],
  ],
  ['specs.lug_to_lug', ['Lug to Lug', 'lug-to-lug', 'lugToLug']],
  ['specs.caliber', ['Calibre', 'Caliber', 'Movement Caliber', 'Kaliber']],
  ['specs.functions', ['Functions', 'Complications']],
  ['specs.year', ['Year', 'Year of production', 'Baujahr']],
]

test.each(targets)('%s is recognised by many names, however they are spelled', (target, names) => {
  expect(names.map((name) => [name, readColumnName(name).to])).toEqual(names.map((name) => [name, target]))
})

test.each([
  ['Water Resistance (M)', 'specs.water_resistance', 'm'],
  ['Water Resistance [ATM]', 'specs.water_resistance', 'atm'],
  ['water_resistance_bar', 'specs.water_resistance', 'bar'],
  ['Diameter (mm)', 'specs.case_diameter', 'mm'],
  ['Case Size [mm]', 'specs.case_diameter', 'mm'],
  ['Size in mm', 'specs.case_diameter', 'mm'],
  ['caseSizeMm', 'specs.case_diameter', 'mm'],
  ['power_reserve_hours', 'specs.power_reserve', 'h'],
  ['Power reserve (days)', 'specs.power_reserve', 'days'],
  ['Weight (g)', 'specs.weight', 'g'],
  ['frequency_hz', 'specs.frequency', 'Hz'],
  ['Beat Rate', 'specs.frequency', 'vph'],
])('%s gives its unit', (name, to, unit) => {
  expect(readColumnName(name)).toMatchObject({ to, unit, isDoubtful: false })
})

test.each([
  ['Price (EUR)', 'current_market_price', 'EUR'],
  ['Price EUR', 'current_market_price', 'EUR'],
  ['price_eur', 'current_market_price', 'EUR'],
  ['priceEur', 'current_market_price', 'EUR'],
  ['Preis in €', 'current_market_price', 'EUR'],
  ['EUR Price', 'current_market_price', 'EUR'],
  ['Price ($)', 'current_market_price', 'USD'],
  ['Retail Price CHF', 'retail_price_usd', 'CHF'],
  ['UVP [€]', 'retail_price_usd', 'EUR'],
  ['Price€', 'current_market_price', 'EUR'],
  ['Price HK$', 'current_market_price', 'HKD'],
  ['€ price', 'current_market_price', 'EUR'],
])('%s gives its currency', (name, to, currency) => {
  expect(readColumnName(name)).toMatchObject({ to, currency })
})

test.each([
  ['SKU', 'sku', undefined],
  ['Condition Category', 'condition_category', undefined],
  ['strapLength', 'strap_length', undefined],
  ['Strap length (mm)', 'strap_length', 'mm'],
  ['Case (mm)', 'case', 'mm'],
  ['Warranty (years)', 'warranty', 'years'],
  ['Diamonds (ct)', 'diamonds_ct', undefined],
  ['Strap_length_mm', 'strap_length_mm', undefined],
  ['Model Year', 'model_year', undefined],
  ['Price All', 'price_all', undefined],
  ['GMTHand', 'gmt_hand', undefined],
  ['Größe & Höhe', 'grosse_hohe', undefined],
  ['文字盤 の色', '文字盤_の色', undefined],
  ['Цвет йода', 'цвет_йода', undefined],
  ['__proto__', 'proto', undefined],
  ['#', '', undefined],
  ['Price (%)', 'price', undefined],
])('%s is a spec of its own', (name, key, unit) => {
  expect(readColumnName(name)).toMatchObject({ to: undefined, key, unit })
})

test('any name becomes a key of at most 128 characters: letters and digits, and single underscores between them', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 300 }), (name) => {
      const { key } = readColumnName(name)
      expect(key.length).toBeLessThanOrEqual(128)
      expect(key).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:_[\p{L}\p{M}\p{N}]+)*)?$/u)
    }),
    { numRuns: 300 },
  )
})
