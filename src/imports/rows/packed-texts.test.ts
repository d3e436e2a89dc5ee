// Tests that texts with several values are read as what they hold.
import { expect, test } from 'vitest'
import { type Json, readJson, readWatch } from '../../../test/catalogue/json-drafts.ts'

test.each<[Json, Json]>([
  [{ case_diameter: '{"value":40.5,"unit":"MILLIMETERS"}' }, { case_diameter: '40.5 mm' }],
  [{ caseDiameter: { value: '{"value": 1.61, "unit": "INCHES"}' } }, { case_diameter: '1.61 in' }],
  [
    {
      metafields: {
        edges: [{ node: { key: 'thickness', value: '{"value":12,"unit":"mm"}', type: 'dimension' } }],
      },
    },
    { thickness: '12 mm' },
  ],
  [{ functions: '["Date","GMT"]' }, { functions: ['Date', 'GMT'] }],
  // No amount with a unit, or something else beside it.
  [{ rating: '{"scale_max":"5.0","value":"4.5"}' }, { rating: '{"scale_max":"5.0","value":"4.5"}' }],
  [{ notes: '{"value":5,"unit":"mm","x":1}' }, { notes: '{"value":5,"unit":"mm","x":1}' }],
  [{ notes: '{"value":5,"unit":"mm"} and more' }, { notes: '{"value":5,"unit":"mm"} and more' }],
])('an amount with its unit as JSON in a text is that amount: %j', async (members, specs) => {
  expect((await readWatch(members)).specs).toEqual(specs)
})

test('an amount with its currency as JSON in a text is a price', async () => {
  const { cells } = await readWatch({ msrp: '{"amount":"1350.00","currency_code":"EUR"}' })
  expect(cells).toEqual(['msrp: 1350.00 EUR'])
})

test.each<[string, Json]>([
  ['case_diameter=40 mm,dial=black', { case_diameter: '40 mm', dial_color: 'black' }],
  ['dial=black, white,case_diameter=40 mm', { dial_color: 'black, white', case_diameter: '40 mm' }],
  ['dial="black, crystal=no", crystal="5"" x"', { dial_color: 'black, crystal=no', crystal: '5" x' }],
  ['dial=,crystal=a=b', { crystal: 'a=b' }],
  ['see notes', { additional_attributes: 'see notes' }],
  ['dial', { additional_attributes: 'dial' }],
  ['=,dial=black', { additional_attributes: '=,dial=black' }],
])('the attributes of Magento become specs: %s', async (text, specs) => {
  expect((await readWatch({ additional_attributes: text })).specs).toEqual(specs)
})

test('long texts of attributes are read in time that grows with their length', async () => {
  for (const part of ['a="', 'a=",', ',a', 'a=""",']) {
    await readJson([{ additional_attributes: part.repeat(Math.floor(99_000 / part.length)) }])
  }
})
