// Tests that the JSON of shops, scrapers and catalogues is read with its units, attributes and variants.
import { expect, test } from 'vitest'
import { type Json, readJson, readWatch } from '../../../test/catalogue/json-drafts.ts'

test.each<[Json, Json]>([
  [
    { water_resistance: { '@type': 'QuantitativeValue', value: 330, unitText: 'ft' } },
    { water_resistance: '330 ft' },
  ],
  [{ case_diameter: { value: 4.1, unitCode: 'CMT' } }, { case_diameter: '4.1 cm' }],
  [{ case_diameter: { value: 41, unitCode: 'MMT', unitText: 'Millimetre' } }, { case_diameter: '41 mm' }],
  [{ power_reserve: { value: 3, unitCode: 'DAY' } }, { power_reserve: '3 days' }],
  [{ water_resistance: { value: '10', unitCode: 'BAR' } }, { water_resistance: '10 bar' }],
  [{ diameter: 1.61, diameter_unit: 'in' }, { case_diameter: '1.61 in' }],
  [{ diameter: '1.61', diameterUnit: 'in' }, { case_diameter: '1.61 in' }],
  [{ diameter: 1.61, diameter_uom: 'INH' }, { case_diameter: '1.61 in' }],
  [{ case: { diameter: 4.1, diameter_unit: 'cm' } }, { case_diameter: '4.1 cm' }],
  [{ weight_value: 5, weight_unit: 'oz' }, { weight_value: '5 oz' }],
  // Not a unit of that spec, or no bare number: both values stay.
  [
    { diameter: 41, diameter_unit: 'h' },
    { case_diameter: 41, diameter_unit: 'h' },
  ],
  [
    { diameter: '41 mm', diameter_unit: 'in' },
    { case_diameter: '41 mm', diameter_unit: 'in' },
  ],
  [{ price: 100, price_unit: 'piece' }, { price_unit: 'piece' }],
  [{ price: 100, price_unit: 'g' }, { price_unit: 'g' }],
  [{ price: { value: 100, unitText: 'piece' } }, { price_unit_text: 'piece' }],
  [{ watch: { value: 5000, units: 'mm', diameter: 40 } }, { value: 5000, units: 'mm', case_diameter: 40 }],
  [{ notes: [{ value: 5, unitText: 'cm', x: 3 }] }, { notes: 5, notes_unit_text: 'cm', notes_x: 3 }],
  [
    { case_diameter: { value: 4.1, unitText: 'cm', tolerance: 1 } },
    { case_diameter: '4.1 cm', case_diameter_tolerance: 1 },
  ],
])('a unit beside a value belongs to it: %j', async (members, specs) => {
  expect((await readWatch(members)).specs).toEqual(specs)
})

test('a list of one value is the value of fields, prices, quantities and numbers', async () => {
  const { draft, specs, market } = await readWatch({
    brand: ['Omega'],
    reference: ['126610LN'],
    collection: ['Submariner'],
    price: ['$10,250'],
    diameter: ['41 mm'],
    year: ['2020'],
    functions: ['Date'],
    related: [{ url: 'x' }],
  })
  expect(draft).toMatchObject({ brand: 'Omega', reference_number: '126610LN', collection: 'Submariner' })
  expect([market, specs]).toEqual([
    10250,
    { case_diameter: '41 mm', year: 2020, functions: ['Date'], related: [{ url: 'x' }] },
  ])
})

test('a list of names is a list of texts, also of one, and in the nodes of GraphQL', async () => {
  const nodes = (...names: string[]) => ({ edges: names.map((name) => ({ node: { name } })) })
  for (const [functions, list] of [
    [nodes('Date'), ['Date']],
    [nodes('Date', 'GMT'), ['Date', 'GMT']],
    [[{ name: 'Date' }], ['Date']],
  ])
    expect((await readWatch({ functions } as Json)).specs).toEqual({ functions: list })
})

test('a list of one object is the object', async () => {
  const { specs } = await readWatch({ movement: [{ caliber: '3235', jewels: 31, functions: ['Date'] }] })
  expect(specs).toEqual({ caliber: '3235', jewels: 31, functions: ['Date'] })
})

test.each<[unknown[]]>([
  [[null, { name: 'Lume' }, { name: 'Dial', value: 'Black' }]],
  [[{ name: 'Dial', value: { key: 'b', label: 'Black' } }]],
  [[{ name: 'Dial', value: { key: 'b', label: { en: 'Black' } } }]],
  [
    [
      {
        id: 1,
        name: 'Dial',
        taxonomy: 'pa_dial',
        has_variations: false,
        terms: [{ id: 5, name: 'Black', slug: 'b' }],
      },
    ],
  ],
  [[{ node: { key: 'dial', value: 'Black' } }, { node: null }]],
  [[{ attribute_name: 'Dial', attribute_value: 'Black', sort_order: 1, locale: 'en', is_visible: true }]],
  [[{ group: 'Overview', name: 'Dial color', value: 'Black' }]],
  [[{ section_name: 'Dial', attribute_name: 'Dial color', attribute_value: 'Black', id: 'x', unit: null }]],
  [[{ group: 'Dial', name: 'Color', value: 'Black', scope: 'global', filterable: 1, position: 2 }]],
])('pairs of name and value become specs, and their list no column: %j', async (attributes) => {
  const { specs, columns } = await readWatch({ attributes: attributes.filter((one) => one !== undefined) })
  expect(specs).toEqual({ dial_color: 'Black' })
  expect(columns).not.toContain('attributes')
})

test('a watch without attributes does not store an empty list of them', async () => {
  const attributes = [{ name: 'Dial', value: 'Black' }]
  const { drafts, columns } = await readJson([
    { brand: 'Omega', reference: 'A', attributes: [] },
    { brand: 'Omega', reference: 'B', attributes: null },
    { brand: 'Omega', reference: 'C', attributes: [null] },
    { brand: 'Omega', reference: 'D', attributes },
  ])
  expect(columns).toEqual(['brand', 'reference', 'attributes.Dial'])
  expect(drafts.map((draft) => 'specs' in draft && draft.specs)).toEqual([
    '{}',
    '{}',
    '{}',
    '{"dial_color":"Black"}',
  ])
})

test('two texts for one attribute reject the row with both of them', async () => {
  const attributes = (...texts: string[]) => texts.map((value) => ({ name: 'Reference', value }))
  const { drafts } = await readJson([
    { brand: 'Omega', sku: 'S', attributes: attributes('A', 'B') },
    { brand: 'Omega', sku: 'S', attributes: attributes('A', 'A') },
  ])
  expect(drafts).toMatchObject([
    { column: 'attributes.Reference', reason: 'has two values: "A", "B"' },
    { reference_number: 'A' },
  ])
})

test('each variant of a Shopify product is a watch of its vendor', async () => {
  const { drafts, mapping, columns } = await readJson(
    [
      {
        title: 'Submariner',
        handle: 'sub',
        vendor: 'Rolex',
        variants: [
          {
            id: 10,
            title: 'Default Title',
            option1: 'Default Title',
            option2: null,
            sku: 'S1',
            price: '10.00',
          },
        ],
        options: [{ name: 'Title', position: 1, values: ['Default Title'] }],
      },
      {
        title: 'Datejust',
        handle: 'dj',
        vendor: 'Rolex',
        variants: [
          {
            id: 11,
            title: 'Black',
            option1: 'Black',
            sku: 'B1',
            price: '200.00',
            weight: 0.2,
            weight_unit: 'kg',
          },
          { id: 12, title: 'Blue', option1: 'Blue', sku: 'B2', price: '210.00' },
        ],
        options: [{ name: 'Dial', values: ['Black', 'Blue'] }],
      },
    ],
    { spec: 'sku' },
  )
  expect(mapping.preset?.name).toBe('a list of Shopify products')
  expect(drafts).toMatchObject([
    { line: 1, brand: 'Rolex', current_market_price: 10 },
    { line: 2, brand: 'Rolex', current_market_price: 200 },
    { line: 2, brand: 'Rolex', current_market_price: 210 },
  ])
  expect(drafts.map((draft) => ('specs' in draft ? JSON.parse(draft.specs) : draft))).toMatchObject([
    { sku: 'S1', title: 'Submariner' },
    { sku: 'B1', title: 'Datejust', dial_color: 'Black', variants_weight: '0.2 kg' },
    { sku: 'B2', title: 'Datejust', dial_color: 'Blue' },
  ])
  expect(columns).not.toContain('variants')
})

test('products of many variants and members are read in parts', async () => {
  const members = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, 1]))
  const variants = Array.from({ length: 600 }, (_, at) => ({ sku: `S${at}`, price: 1 }))
  const product = { brand: 'Rolex', reference: 'A', ...members, variants }
  const { drafts, columns } = await readJson([product, product, product, product], { spec: 'sku' })
  expect(drafts).toHaveLength(2_400)
  expect(columns).toHaveLength(304)
})

test('nodes of GraphQL are read with vendor, metafields and variants', async () => {
  const variant = (sku: string, price: string) => ({
    node: { sku, price, selectedOptions: [{ name: 'Dial', value: sku }] },
  })
  const node = (variants: unknown[]) => ({
    node: {
      title: 'Submariner',
      vendor: 'Rolex',
      metafields: [null, { key: 'reference', value: '126610LN' }],
      variants: { edges: variants },
    },
  })
  const { drafts } = await readJson([
    node([variant('S1', '10')]),
    node([variant('S2', '20'), variant('S3', '30')]),
  ])
  expect(drafts).toMatchObject(
    [10, 20, 30].map((price) => ({
      brand: 'Rolex',
      reference_number: '126610LN',
      current_market_price: price,
    })),
  )
})

test.each([
  ['edges', (variants: Json[]) => ({ edges: variants.map((node) => ({ node })) })],
  ['nodes', (variants: Json[]) => ({ nodes: variants })],
])('a variant of GraphQL has its own options, not those of the product: %s', async (_, listed) => {
  const variant = (sku: string, value: string) => ({
    sku,
    price: '10',
    selectedOptions: [{ name: 'Dial color', value }],
  })
  const options = [{ name: 'Dial color', values: ['Black', 'Blue'] }]
  const variants = listed([variant('S1', 'Black'), variant('S2', 'Blue')])
  const { drafts } = await readJson([{ brand: 'Rolex', reference: 'A', options, variants }], { spec: 'sku' })
  expect(drafts.map((draft) => 'specs' in draft && JSON.parse(draft.specs))).toEqual([
    { sku: 'S1', dial_color: 'Black' },
    { sku: 'S2', dial_color: 'Blue' },
  ])
})

test('a product of commercetools has the attributes and the price of its master variant', async () => {
  const money = (centAmount: number, currencyCode: string) => ({
    value: { type: 'centPrecision', centAmount, currencyCode, fractionDigits: 2 },
  })
  const { drafts } = await readJson([
    {
      id: 'x',
      masterVariant: {
        sku: 'S',
        prices: [money(490000, 'EUR'), money(525000, 'USD')],
        attributes: [
          { name: 'brand', value: { key: 'b', label: 'Rolex' } },
          { name: 'reference', value: '126610LN' },
        ],
      },
      variants: [],
    },
  ])
  expect(drafts).toMatchObject([{ brand: 'Rolex', reference_number: '126610LN', current_market_price: 5250 }])
})

test('a hit of Elasticsearch is read like its source', async () => {
  const source = { brand: 'Rolex', reference: 'A', price: 5, dial: { color: 'black' } }
  const { drafts } = await readJson([{ _index: 'w', _id: '1', _source: source }])
  expect(drafts).toMatchObject([{ brand: 'Rolex', reference_number: 'A', current_market_price: 5 }])
})

test('the specs of a record of this catalogue stay as they are', async () => {
  const { drafts } = await readJson([
    {
      id: 1,
      brand: 'Rolex',
      reference_number: 'A',
      updated_at: '2026-01-01',
      extra: ['x'],
      specs: { diameter: 1.6, diameter_unit: 'in', year: [2020] },
    },
  ])
  expect(drafts.map((draft) => 'specs' in draft && JSON.parse(draft.specs))).toEqual([
    { extra: ['x'], diameter: 1.6, diameter_unit: 'in', year: [2020] },
  ])
})

test('a list of objects that share no member is one object', async () => {
  const specifications = {
    Case: [{ Diameter: '40 mm' }, { Material: 'Steel' }],
    Movement: [{ Caliber: '3235', Type: 'Automatic' }, { Jewels: 31 }],
    Sizes: [{ Width: 1 }, { Width: 2 }],
  }
  const { drafts } = await readJson([{ brand: 'Rolex', reference: 'A', specifications }])
  expect(drafts.map((draft) => 'specs' in draft && JSON.parse(draft.specs))).toEqual([
    {
      case_diameter: '40 mm',
      case_material: 'Steel',
      caliber: '3235',
      movement_type: 'Automatic',
      jewels: 31,
      sizes: [{ Width: 1 }, { Width: 2 }],
    },
  ])
})

test('labels with texts are pairs, and titles with texts are not', async () => {
  const specGroups = [{ title: 'Case', items: [{ label: 'Diameter', text: '40 mm' }] }]
  const comments = [
    { title: 'Good', text: 'x' },
    { title: 'Bad', text: 'y' },
  ]
  const { drafts } = await readJson([{ brand: 'Rolex', reference: 'A', specGroups, comments }])
  expect(drafts.map((draft) => 'specs' in draft && JSON.parse(draft.specs))).toEqual([
    { case_diameter: '40 mm', comments },
  ])
})
