// Tests that the rows of shops become one record for each watch, and pairs of name and value become columns.
import { describe, expect, test } from 'vitest'
import { csvRecords, jsonRecords } from '../../../test/catalogue/file-records.ts'
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { reshapeRecords } from './reshape-records.ts'

type Row = Readonly<Record<string, unknown>>

async function reshape(
  batches: readonly Pick<RecordBatch, 'columns' | 'records'>[],
  options?: Parameters<typeof reshapeRecords>[1],
) {
  async function* source(): AsyncGenerator<RecordBatch> {
    for (const batch of batches) yield { ...batch, bad: [], bytesRead: 0 }
  }
  const results: RecordBatch[] = []
  for await (const batch of reshapeRecords(source(), options)) results.push(batch)
  const columns = results.at(-1)?.columns ?? []
  const records = results.flatMap((batch) => batch.records)
  const rows = records.map(({ columns: places, cells }): Row => {
    const members = cells.map((cell, at) => [columns[places[at] ?? -1] as string, cell] as const)
    return Object.fromEntries(
      members.filter(([, cell]) => cell !== '' && cell !== null && cell !== undefined),
    )
  })
  const beside = results.flatMap((batch) => batch.beside ?? []).map(({ reason }) => reason)
  return { columns, records, rows, lines: records.map(({ line }) => line), beside }
}

function fromCsv(text: string): { columns: string[]; records: FileRecord[] } {
  const [header = '', ...lines] = text.trim().split('\n')
  return { columns: header.split('|'), records: csvRecords(lines.map((line) => line.split('|'))) }
}

describe('the rows of a Shopify product', () => {
  const file =
    fromCsv(`Handle|Title|Vendor|Option1 Name|Option1 Value|Variant SKU|Variant Price|Image Src|Status
sub|Submariner|Rolex|Title|Default Title|A1|100|1.jpg|active
sub|||||||2.jpg|
sub|||||||1.jpg|
dial|Datejust|Rolex|Dial|Black|B1|200|3.jpg|active
dial||||Blue|B2|210||
plain|Plain|Omega|Title|Default Title|C1|300||draft`)
  const whole = [
    {
      Handle: 'sub',
      Title: 'Submariner',
      Vendor: 'Rolex',
      'Variant SKU': 'A1',
      'Variant Price': '100',
      'Image Src': ['1.jpg', '2.jpg'],
      Status: 'active',
    },
    {
      Handle: 'dial',
      Title: 'Datejust',
      Vendor: 'Rolex',
      'Variant SKU': 'B1',
      'Variant Price': '200',
      'Image Src': ['3.jpg'],
      Status: 'active',
      'attributes.Dial': 'Black',
    },
    {
      Handle: 'dial',
      Title: 'Datejust',
      Vendor: 'Rolex',
      'Variant SKU': 'B2',
      'Variant Price': '210',
      'Image Src': ['3.jpg'],
      Status: 'active',
      'attributes.Dial': 'Blue',
    },
    {
      Handle: 'plain',
      Title: 'Plain',
      Vendor: 'Omega',
      'Variant SKU': 'C1',
      'Variant Price': '300',
      Status: 'draft',
    },
  ]

  test.each([1, 2, 3, 6])(
    'are one record for each variant, wherever batches end: %i rows each',
    async (size) => {
      const batches = Array.from({ length: Math.ceil(6 / size) }, (_, at) => ({
        columns: file.columns,
        records: file.records.slice(at * size, (at + 1) * size),
      }))
      const { rows, lines } = await reshape(batches)
      expect(rows).toEqual(whole)
      expect(lines).toEqual([2, 5, 6, 7])
    },
  )
})

describe('pairs of name and value', () => {
  test.each([
    [[{ name: 'Case', value: 'Steel' }], { 'a.Case': 'Steel' }],
    [[{ key: 'case', value: 'Steel', namespace: 'custom', type: 'text' }], { 'a.case': 'Steel' }],
    [[{ label: ' Case  size ', value: 41, unit: 'mm' }], { 'a.Case size': '41 mm' }],
    [[{ name: 'Case', options: ['Steel'] }], { 'a.Case': 'Steel' }],
    [
      [
        { name: 'F', value: 'Date' },
        { name: 'F', value: 'GMT' },
      ],
      { 'a.F': ['Date', 'GMT'] },
    ],
    [
      [
        { name: 'Case', value: null },
        { name: 'B', value: 1 },
      ],
      { 'a.B': 1 },
    ],
    [
      [{ name: 'Case', value: 'Steel', source: 'x' }],
      { 'a.Case': 'Steel', a: [{ name: 'Case', value: 'Steel', source: 'x' }] },
    ],
  ])('become columns: %j', async (a, row) => {
    expect((await reshape([jsonRecords([{ id: 1, a }])])).rows).toEqual([{ id: 1, ...row }])
  })

  test.each(['attributes/0/key', 'attributes.0.name', 'attributes[0].label', 'specs/2/attributes/0/title'])(
    'are found in the flattened lists of a scraper: %s',
    async (name) => {
      const value = name.replace(/[a-z]+$/, 'value')
      const key = name.replace(/[a-z]+$/, 'id')
      const file = fromCsv(`brand|${name}|${key}|${value}\nRolex|Dial color|7|Black\nOmega||8|x`)
      expect((await reshape([file])).rows).toEqual([
        { brand: 'Rolex', 'attributes.Dial color': 'Black' },
        { brand: 'Omega', [key]: '8', [value]: 'x' },
      ])
    },
  )

  test('in groups become columns of their groups', async () => {
    const a = [
      { group: 'Case', attributes: [{ name: 'Diameter', value: 40, unit: 'mm' }] },
      { group: 'Dial', attributes: [{ name: 'Color', value: 'Black' }], id: 3 },
    ]
    const row = { 'a.Case.Diameter': '40 mm', 'a.Dial.Color': 'Black' }
    expect((await reshape([jsonRecords([{ a }])])).rows).toEqual([row])
    for (const other of [
      { group: 'x', attributes: [1] },
      { ...a[0], price: 5 },
    ]) {
      const list = [a[0], other]
      expect((await reshape([jsonRecords([{ a: list }])])).rows).toEqual([{ a: list }])
    }
  })

  test.each([
    [['Steel']],
    [[{ name: 'Case' }, { name: 'Dial', id: 1 }]],
    [[{ name: 'Case', value: 1 }, 'x']],
    [[]],
  ])('are not seen in %j', async (a) => {
    expect((await reshape([jsonRecords([{ a }])])).rows).toEqual([{ a }])
  })

  test('are kept where columns are added by other records, before and after', async () => {
    const columns = ['a', 'b', 'c']
    const { rows } = await reshape([
      { columns: columns.slice(0, 1), records: [{ line: 1, columns: [0], cells: [1] }] },
      {
        columns: columns.slice(0, 2),
        records: [{ line: 2, columns: [1, 0], cells: [[{ name: 'x', value: 2 }], 3] }],
      },
      { columns, records: [{ line: 3, columns: [2, 1], cells: [4, [{ name: 'y', value: 5 }]] }] },
    ])
    expect(rows).toEqual([{ a: 1 }, { a: 3, 'b.x': 2 }, { c: 4, 'b.y': 5 }])
  })

  test('stay where they are if there would be too many columns', async () => {
    const objects = Array.from({ length: 6 }, (_, at) => ({
      a: Array.from({ length: 900 }, (_, number) => ({ name: `n${at}-${number}`, value: 1 })),
    }))
    const { columns, rows } = await reshape([jsonRecords(objects)])
    expect(columns.length).toBeLessThanOrEqual(4_096)
    expect(rows.map((row) => Object.keys(row).length)).toEqual([900, 900, 900, 900, 1, 1])
  })

  test('in a list that is named specs become columns too', async () => {
    const specs = [{ name: 'Case Diameter', value: '42 mm' }]
    const { rows } = await reshape([jsonRecords([{ brand: 'Omega', specs }])])
    expect(rows).toEqual([{ brand: 'Omega', 'attributes.Case Diameter': '42 mm' }])
  })

  test('in the specs of an export, and in specs of any file, are values', async () => {
    const specs = { 'specs.a': [{ name: 'Case', value: 'Steel' }] }
    const exported = {
      id: 1,
      brand: 'B',
      collection: '',
      reference_number: '1',
      retail_price_usd: 1,
      current_market_price: 1,
      ...specs,
      updated_at: '',
    }
    for (const object of [specs, exported]) {
      const file = jsonRecords([object])
      expect((await reshape([file])).records).toEqual(file.records)
    }
  })
})

/** Headers of shops that have the measures of the parcel → how other columns of theirs are read. */
const parcels: readonly (readonly [string, Record<string, string>])[] = [
  [
    'Product ID|Name *|Price tax excluded|Price tax included|Wholesale price|Reference #|État',
    {
      'Price tax included': 'current_market_price',
      'Price tax excluded': 'specs.net_amount',
      'Wholesale price': '',
      'Reference #': 'reference_number',
      État: 'specs.shop_status',
    },
  ],
  ['Product ID [Non Editable]|Title|SKU', { 'Product ID [Non Editable]': 'specs.product_id' }],
  ['handleId|fieldType|name|price|collection|cost', { collection: 'specs.categories', cost: '' }],
  [
    'Item Type|Product ID|Product Name|Brand Name|GPS Manufacturer Part Number',
    { 'GPS Manufacturer Part Number': 'reference_number' },
  ],
]

describe('a file is recognised by its header', () => {
  test.each([
    ['Handle,Title,Vendor,Type,Variant SKU,Variant Price', 'a Shopify product export'],
    ['Title,URL handle,Vendor,SKU,Option1 name,Option1 value,Price', 'a Shopify product export'],
    ['ID,Type,SKU,Name,Published,Sale price,Regular price', 'a WooCommerce product export'],
    ['ID,Typ,Artikelnummer,Name,Veröffentlicht,Regulärer Preis', 'a WooCommerce product export'],
    ['id,permalink,price,regular_price,sale_price,stock_status', 'a list of WooCommerce products'],
    ['sku,attribute_set_code,product_type,name,weight', 'a Magento product export'],
    ['Item number,Title,Custom label (SKU),Currency,Start price', 'an eBay listing export'],
    [
      '*Action(SiteID=US|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,*C:Brand',
      'an eBay listing export',
    ],
    ['Brand,Model,Reference number,Price,Condition,Scope of delivery', 'a list with the columns of Chrono24'],
    ['Hersteller,Modell,Referenznummer,Preis,Zustand,Lieferumfang', 'a list with the columns of Chrono24'],
    ['Product ID,Name *,Price tax included,Reference #,Manufacturer,Weight', 'a PrestaShop product list'],
    ['ID,Image,Nom,Référence,Catégorie,Prix (HT),Prix (TTC),Quantité,État', 'a PrestaShop product list'],
    ['ID,Bild,Name,Artikel-Nr.,Kategorie,Menge,Status', 'a PrestaShop product list'],
    ['Product ID [Non Editable],Title,SKU,Price,Weight', 'a Squarespace product export'],
    ['handleId,fieldType,name,collection,price,weight', 'a Wix product export'],
    ['Item Type,Product ID,Product Name,Product Code/SKU,Brand Name', 'a BigCommerce product export'],
    ['Brand,Reference,Price', undefined],
    ['Title,Handle,Price', undefined],
  ])('%s', (header, name) => {
    expect(suggestMapping(header.split(','), []).preset?.name).toBe(name)
  })

  test('its columns become what they mean', () => {
    const targets = (file: ReturnType<typeof fromCsv>) =>
      Object.fromEntries(
        suggestMapping(file.columns, file.records).columns.map(({ column, to, currency, isFallback }) => [
          column,
          [to, currency, isFallback ? 'fallback' : undefined].filter((one) => one !== undefined).join(' '),
        ]),
      )
    expect(
      targets(
        fromCsv(`Handle|Title|Vendor|Variant SKU|Variant Price|Variant Compare At Price|Cost per item|Google Shopping / MPN|Case Size (product.metafields.custom.case_size)
a|A|Rolex|S1|100|100|50|126610|41`),
      ),
    ).toEqual({
      Handle: 'specs.handle',
      Title: 'specs.title',
      Vendor: 'brand',
      'Variant SKU': 'specs.sku',
      'Variant Price': 'current_market_price',
      'Variant Compare At Price': 'specs.compare_at_price',
      'Cost per item': '',
      'Google Shopping / MPN': 'reference_number',
      'Case Size (product.metafields.custom.case_size)': 'specs.case_diameter',
    })
    expect(
      targets(
        fromCsv(`*Action(SiteID=Germany, Currency=EUR)|*Title|CustomLabel|*C:Marke|C:Referenznummer|*StartPrice
Add|x|S1|Rolex|126610|100`),
      ),
    ).toMatchObject({
      CustomLabel: 'specs.sku',
      '*C:Marke': 'brand',
      'C:Referenznummer': 'reference_number',
      '*StartPrice': 'current_market_price EUR',
    })
    expect(
      targets(
        fromCsv(`*Action(SiteID=US)|*Title|*C:Brand|*StartPrice|BuyItNowPrice
Add|x|Rolex|0.99|6000`),
      ),
    ).toMatchObject({ BuyItNowPrice: 'current_market_price', '*StartPrice': 'current_market_price fallback' })
    expect(
      targets(fromCsv('Item number|Title|Custom label (SKU)|Start price|Current price\n1|x|S|100|90')),
    ).toMatchObject({
      'Current price': 'current_market_price',
      'Start price': 'current_market_price fallback',
    })
    expect(
      targets(
        fromCsv(`ID|Type|SKU|Name|Published|Sale price|Regular price|Height (cm)|Brands
1|simple|S1|x|1|90|100|12|Rolex`),
      ),
    ).toMatchObject({
      'Sale price': 'current_market_price',
      'Regular price': 'current_market_price fallback',
      'Height (cm)': 'specs.shipping_height',
      Brands: 'brand',
    })
    expect(
      targets(
        fromCsv(`permalink|stock_status|price|regular_price|sale_price|weight|dimensions.width
x|instock|90|100|90|1.5|12`),
      ),
    ).toMatchObject({
      price: 'current_market_price fallback',
      regular_price: 'current_market_price fallback',
      sale_price: 'current_market_price',
      weight: 'specs.weight_for_shipping',
      'dimensions.width': 'specs.width_for_shipping',
    })
    for (const [header, kept] of parcels) {
      const measures = `${header}|Weight|Height|Width`
      const found = targets(fromCsv(`${measures}\n${measures.replace(/[^|]+/g, '7')}`))
      expect(found).toMatchObject({
        Weight: 'specs.weight_for_shipping',
        Height: 'specs.height_for_shipping',
        Width: 'specs.width_for_shipping',
        ...kept,
      })
    }
    expect(
      targets(fromCsv('sku|attribute_set_code|product_type|weight\nS|Default|simple|1.2')),
    ).toMatchObject({
      weight: 'specs.weight_for_shipping',
    })
  })
})

test('headings name the brand of the rows below, if the operator says so', async () => {
  const file = fromCsv(`Ref|Model|Price
ROLEX||
126610LN|Submariner|12.900 €
126710||17.500 €
A. Lange & Söhne||
101.021|Lange 1|
PP||
5711|Nautilus|
RM||
011||165.000 €
Total||30.400 €`)
  const watches = [
    { Ref: '126610LN', Model: 'Submariner', Price: '12.900 €' },
    { Ref: '126710', Price: '17.500 €' },
    { Ref: '101.021', Model: 'Lange 1' },
    { Ref: '5711', Model: 'Nautilus' },
    { Ref: '011', Price: '165.000 €' },
  ]
  expect((await reshape([file])).rows).toEqual(watches)
  const brands = ['ROLEX', 'ROLEX', 'A. Lange & Söhne', 'PP', 'RM']
  expect((await reshape([file], { hasBrandHeadings: true })).rows).toEqual(
    watches.map((watch, at) => ({ brand: brands[at], ...watch })),
  )
})

test('auctions that nobody can end with a price are told', async () => {
  const auctions = [
    { Format: 'Auction', 'Start price': '1', 'Auction Buy It Now price': '' },
    { Format: 'Auction', 'Start price': '2', 'Auction Buy It Now price': '9000' },
    { Format: 'FixedPrice', 'Start price': '9000', 'Auction Buy It Now price': '' },
  ]
  const { beside } = await reshape([jsonRecords(auctions)])
  expect(beside).toEqual([
    '1 auction without a Buy It Now price has no price: the bids are in the spec bid_note',
  ])
})

test.each([
  ['additionalInfoTitle1|additionalInfoDescription1'],
  ['Option Name 1|Option Value 1'],
  ['additional_info_title_1|additional_info_description_1'],
])('numbers behind the names of pairs count, too: %s', async (header) => {
  expect((await reshape([fromCsv(`${header}|x\nDial|Black|1`)])).rows).toEqual([
    { x: '1', 'attributes.Dial': 'Black' },
  ])
})
