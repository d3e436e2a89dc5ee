// Tests which columns are not what their names say: parcels, movements, calibers, collections of the owner.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'

function targetOf(name: string, rows: readonly (readonly string[])[]) {
  return suggestMapping([name], csvRecords(rows)).columns[0]?.to
}

function suggested(names: readonly string[], ...rows: (readonly string[])[]) {
  const { columns, notes } = suggestMapping(names, csvRecords(rows))
  return { columns, targets: columns.map(({ to }) => to), notes }
}

test('three measures without units that stand together are those of a parcel, which is told', () => {
  const header = ['Brand', 'Weight', 'Height', 'Width']
  const parcel = suggestMapping(header, csvRecords([['Rolex', '0.8', '15', '20']]))
  expect(parcel.columns.map(({ to }) => to)).toEqual([
    'brand',
    'specs.weight_for_shipping',
    'specs.height_for_shipping',
    'specs.width_for_shipping',
  ])
  expect(parcel.notes).toEqual([expect.stringContaining('Weight, Height, Width: numbers without units')])
  const watch = suggestMapping(header, csvRecords([['Rolex', '150 g', '12 mm', '40 mm']]))
  expect(watch.columns.slice(1, 3).map(({ to }) => to)).toEqual(['specs.weight', 'specs.thickness'])
  expect(watch.notes).toBeUndefined()
})

test.each([
  ['Werk', ['3235', 'MT5612', 'Automatik'], 'specs.caliber'],
  ['Movement', ['L093.1', 'P.9010', '6497-1'], 'specs.caliber'],
  ['Movement', ['Automatic', 'Quartz', '3235'], 'specs.movement_type'],
  ['Calibre', ['Automatic', 'Manual winding', '3235'], 'specs.movement_type'],
  ['Circa', ['1960', 'c. 1971'], 'specs.year'],
  ['Circa', ['yes', 'no'], 'specs.circa'],
  ['Location', ['Zürich', 'Bank, box 12'], null],
  ['Standort', ['Deutschland', 'Schweiz'], 'specs.standort'],
  ['Storage', ['64 Go'], 'specs.storage'],
  ['Calibre', ['Automatic Cal. 3235', 'Manual 3861'], 'specs.caliber'],
  ['Family', ['watches', 'Watches'], 'collection'],
  ['Movement', ['Automatic 25', 'In-house', 'Kinetic'], 'specs.movement_type'],
  ['Department', ['Watches', 'Watches', 'Men'], 'specs.department'],
  ['Department', ['Men', 'Unisex Adult', 'Watches'], 'specs.gender'],
  ['Department', ['Menswear', 'Mens shop'], 'specs.department'],
  ['Gender', ['Adult'], 'specs.gender'],
])('a column %s with %j becomes %s', (name, cells, to) => {
  const rows = cells.map((cell) => [cell])
  expect(targetOf(name, rows)).toBe(to)
})

test('a movement of calibers is only the caliber if no other column is', () => {
  expect(suggested(['Movement', 'Calibre'], ['3235', '3235']).targets).toEqual([
    'specs.movement_type',
    'specs.caliber',
  ])
})

test('a caliber of types of movements is only the movement if no other column is', () => {
  const { targets } = suggested(['Movement', 'Caliber'], ['Quartz', 'Automatic'], ['Automatic', 'Automatic'])
  expect(targets).toEqual(['specs.movement_type', 'specs.caliber'])
})

test('a collection that is the same for several brands is not that of the watches, which is told', () => {
  const names = ['Brand', 'Collection', 'Model']
  const own = suggested(names, ['Rolex', 'My Collection', 'GMT'], ['Omega', 'My Collection', 'Railmaster'])
  expect(own.targets).toEqual(['brand', 'specs.collection', 'collection'])
  expect(own.notes).toEqual([
    'The column Collection is the same for several brands, so Model is taken for the collection.',
  ])
  const one = suggested(names, ['Omega', 'Seamaster', '300'], ['Omega', 'Seamaster', 'Railmaster'])
  expect(one.targets).toEqual(['brand', 'collection', 'specs.model'])
})

test('what a shop calls all of its watches is no collection', () => {
  const names = ['Brand', 'Family']
  const shop = suggested(names, ['Rolex', 'watches'], ['Omega', 'Watches'])
  expect(shop.targets).toEqual(['brand', 'specs.family'])
  expect(shop.notes).toEqual(['The column Family is the same for several brands, so it is no collection.'])
  const real = suggested(names, ['Rolex', 'Heritage'], ['Omega', 'Heritage'])
  expect(real.targets).toEqual(['brand', 'collection'])
})

test.each([
  ['公价（万）', 'retail_price_usd'],
  ['官方价(万元)', 'retail_price_usd'],
  ['价格（万）', 'current_market_price'],
  ['定価（万円）', 'retail_price_usd'],
])('%s is a price if all of its cells say that they are in ten thousands', (name, to) => {
  expect(targetOf(name, [['8万'], ['12.5万']])).toBe(to)
  expect(targetOf(name, [['8万'], ['12.5']])).toMatch(/^specs\./)
})

test.each([
  [
    ['Prix boutique TTC', 'Prix public'],
    ['current_market_price', 'retail_price_usd'],
  ],
  [['Prix boutique'], ['retail_price_usd']],
  [
    ['Prix boutique', 'Prix public', 'Notre prix'],
    ['retail_price_usd', 'retail_price_usd', 'current_market_price'],
  ],
  [
    ['Prix boutique', 'Prix public', 'Prix de vente'],
    ['retail_price_usd', 'retail_price_usd', 'current_market_price'],
  ],
])(
  'beside the list price, that of a shop is the market price if no other column is: %j',
  (names, targets) => {
    const { columns } = suggestMapping(
      ['Marque', ...names],
      csvRecords([['Rolex', '4500', '5000', '4000'].slice(0, names.length + 1)]),
    )
    expect(columns.slice(1).map(({ to }) => to)).toEqual(targets)
  },
)
