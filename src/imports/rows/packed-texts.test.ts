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

test.each<[string, string, Json]>([
  [
    'product_detail',
    'Case:Diameter:40 mm,Movement:Functions:Date, GMT,:Case material:"Steel, gold"',
    { case_diameter: '40 mm', functions: ['Date', 'GMT'], case_material: 'Steel, gold' },
  ],
  ['product_detail', 'Box: yes, papers: no', { product_detail: 'Box: yes, papers: no' }],
  [
    'Feature(Name:Value:Position)',
    'Case diameter:40 mm:1,Dial:Black, matt:2:1',
    { case_diameter: '40 mm', dial_color: 'Black, matt' },
  ],
  ['Product Custom Fields', 'Case Size=41mm;"Crystal=a;b"', { product_custom_fields: expect.anything() }],
  [
    'Product Custom Fields',
    'Case Size=41mm;"Case Material=Steel"',
    { case_diameter: '41 mm', case_material: 'Steel' },
  ],
])('the attributes of other shops become specs: %s: %s', async (name, text, specs) => {
  expect((await readWatch({ [name]: text })).specs).toEqual(specs)
})

test.each<[Json, Json]>([
  [
    { details: `{'Case diameter': '40 mm', "Dial": "Pilot's \\'black\\'", 'Box': True, 'x': None}` },
    { case_diameter: '40 mm', dial_color: "Pilot's 'black'", box: true },
  ],
  [
    { details: "{'Case': {'Material': 'Steel'}, 'years': [2020, 2021]}" },
    { case_material: 'Steel', years: [2020, 2021] },
  ],
  [{ diameter: "{'value': 40.5, 'unit': 'mm'}" }, { case_diameter: '40.5 mm' }],
  [{ specs: "{'Dial color': 'Black', 'x': None}" }, { dial_color: 'Black' }],
  [
    { details: '{"Dial color": "Black", "Case": {"Material": "Steel"}, "x": null}' },
    { dial_color: 'Black', case_material: 'Steel' },
  ],
  [{ attributes_json: '{"Jewels": 17}' }, { jewels: 17 }],
  [{ specs: '{"Dial color": "Black"}' }, { 'Dial color': 'Black' }],
  ...['{"a": [{"b": 1}]}', '{}'].map((text): [Json, Json] => [{ details: text }, { details: text }]),
  ...["{'a': 'x'", "{'a'}", "{'a': 'x'} and more", "{'a': [{'b': 1}]}", '{"a": "x"}', '{see}'].map(
    (text): [Json, Json] => [{ notes: text }, { notes: text }],
  ),
])('a dictionary of Python, or JSON of details, in a text is an object: %j', async (members, specs) => {
  expect((await readWatch(members)).specs).toEqual(specs)
})

test('an amount in a dictionary of Python is a price', async () => {
  const { cells } = await readWatch({ price: "{'amount': 19850, 'currency': 'EUR'}" })
  expect(cells).toEqual(['price: 19850 EUR'])
})

test('long texts of attributes are read in time that grows with their length', async () => {
  for (const part of ['a="', 'a=",', ',a', 'a=""",']) {
    await readJson([{ additional_attributes: part.repeat(Math.floor(99_000 / part.length)) }])
  }
  for (const part of [':', ',', ',a:', 'a:b:c,', 'a:1,', '=;', "{'", '{{']) {
    const [long, short] = [99_000, 19_999].map((chars) => part.repeat(Math.floor(chars / part.length)))
    await readJson([
      { product_detail: long, 'Feature(Name:Value:Position)': long, 'Product Custom Fields': long, a: short },
    ])
  }
})
