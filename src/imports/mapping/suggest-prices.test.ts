// Tests which columns of dealers' files become the retail price and the market price, which are private, and what is
// told about the others.
import { describe, expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { parseMapping } from './mapping-json.ts'
import { suggestMapping } from './suggest-mapping.ts'

const market = 'current_market_price'
const retail = 'retail_price_usd'

function suggested(names: readonly string[], ...rows: (readonly string[])[]) {
  const { columns, notes = [] } = suggestMapping(['Brand', 'Ref', ...names], csvRecords(rows.map(withNames)))
  return { columns: columns.slice(2), targets: columns.slice(2).map(({ to }) => to), notes }
}

function withNames(cells: readonly string[], at: number): string[] {
  return ['Brello', `B${at}`, ...cells]
}

test.each([
  [
    retail,
    `RRP CHF incl. 8.1% VAT, UVP inkl. 19 % MwSt., Prix public (TVA 20%), Prezzo di listino IVA 22% inclusa, Neupreis (UVP), Neupreis (brutto), Neupreis inkl. MwSt., Listenpreis (brutto), UVP inkl. MwSt.,
    Prezzo listino IVA incl., Precio de venta al público, Retail price 2023, RRP inc VAT, MRP (Incl. of all taxes),
    Original price, Official Retail Price, Prix public TTC, Recommended list price, Retail Price CHF 2024,
    定価（税込）, Adviesprijs incl. btw, UK RRP (inc VAT), MSRP (US), Retail (US), EU Retail, Retail Price US,
    US Retail Price, Retail Price (UK), Swiss Retail Price, Brand Retail Price, UK List Price, List Price UK,
    RRP Price UK, New Price UK, Listenpreis Deutschland, Prix public France, Boutique Price, Launch Price,
    Price at Launch, Price When New, Nypris inkl. moms, List, List (CHF), Listino, Liste, Retail AED / سعر الوكالة, 公價`,
  ],
  [
    market,
    `VK, VK brutto, Precio oferta, Marktwert 2024, Avg. Market Price, Worth, Adjugé (frais inclus), Adjugé, Hammer,
    Zuschlag, Prix d'adjudication, Discount Price, Sonderpreis, Selling price excl. VAT, Prix de vente HT, Vraagprijs,
    Fair Market Value, FMV, PVP_OFERTA, VK1, Price HKD 價錢, Price (HKD) 價錢, 售價 (HKD), Price / Preis, Precio / السعر,
    Asking, Ask, Average Market Value (EUR), Hammer price (incl. buyer's premium), Price inc. VAT, Verkaufspreis netto`,
  ],
])('%s is recognised whatever its name says of tax, currency and year', (target, names) => {
  const list = names.split(/,\s+/)
  expect(list.map((name) => [name, suggested([name], ['12,500']).targets[0]])).toEqual(
    list.map((name) => [name, target]),
  )
})

test('a name that is read by its words gives its currency', () => {
  expect(suggested(['Retail Price CHF 2024'], ['12500']).columns[0]).toMatchObject({ currency: 'CHF' })
})

test.each(
  `Starting price, Strap price, Service price, Price drop, Last price change, price_is_negotiable, Low, High,
  Estimation basse, Compare At Price, Trade-in price, Price discount, Price reduced, Price reduction, Discount value,
  Sale value, Price list, AD Price, Retail range price, Estimated market value, Estimated resale value, price.discount,
  Price last year, Price 6 months ago, Former price, predicted_price, max_price, Maximum price, Melt price, Utropspris,
  Startpris`.split(/,\s+/),
)('%s is never a price of the watch', (name) => {
  expect(suggested([name], ['1250'], ['1300']).targets[0]).toMatch(/^specs\./)
})

test.each(
  `log_price, price_log, price_log10, Price Score, price rating, Price rank, price percentile, Normalized price, price zscore,
  price_z_score, Price Index, price std, Price volatility, price ratio, Price difference, price_delta, price tier, price points,
  price_id, Price code, Price count, num_prices, Price per gram, Price per day, Price/day, Rental price, Price/night, Price installment, Price cashback,
  Price alert, pricing.salePrice.percentOff, price.symbol, aggregateRating.ratingValue, Weight value (grams), size_value,
  Preisklasse, Preisindex, Mietpreis, attribute_value`.split(/,\s+/),
)('%s only sounds like a price: it is a spec, and nothing is told', (name) => {
  const { targets, notes } = suggested([name], ['1250'], ['1300'])
  expect(targets[0]).toMatch(/^specs\./)
  expect(notes).toEqual([])
})

test.each([
  'Our price',
  'Price tag',
  'Price today',
  'Total price',
  'Final price',
  'price_amount',
  'Online price',
  '30 day average price',
  'Price per piece',
  'Preis pro Stück',
])('%s is the market price if no other column is', (name) => {
  expect(suggested([name], ['1250'], ['1300']).targets).toEqual([market])
})

test('what was paid is left out and told once, and is never a price, whatever its name says of tax', () => {
  const names =
    `Prix d'achat HT, 仕入価格, Inkoopprijs excl. btw, Trade Price, Dealer Net Price, HEK netto, EK netto,
    Serial No., Owner, Sum Insured (GBP), Purchase price (EUR) ex VAT`.split(/,\s+/)
  for (const name of names) {
    const { targets, notes } = suggested([name], ['1250'], ['1300'])
    expect([name, targets[0], notes.filter((note) => !note.startsWith('No column'))]).toEqual([
      name,
      null,
      [
        `The column ${name} looks private, and is left out: a mapping can make it a spec, which everybody sees.`,
      ],
    ])
  }
})

test.each([
  ['Commission', '250', null],
  ['Provision (%)', '10 %', null],
  ['Reserve', '4500', null],
  ['Commission', 'Royal Air Force', 'specs.commission'],
  ['Reserve', '70 h', 'specs.reserve'],
  ['PA HT', '5200,00', null],
  ['PAHT', '5200', null],
  ['P.A.', '€ 5.200', null],
  ['PA', 'Press', 'specs.pa'],
  ['Bought', '03/2021', null],
  ['Acquired', '$5,200', null],
  ['Purchased', 'at an auction', null],
  ['Bought', 'yes', 'specs.bought'],
  ['SN', 'K1234567', null],
  ['Case #', '1234567', null],
  ['Movement #', '1234567', null],
  ['Seller', 'Brello Ltd.', 'specs.seller'],
  ['Vendor', 'Brello Ltd.', 'specs.vendor'],
  ['From', '1958', 'specs.from'],
  ['Storage', 'Safe 3', null],
  ['Storage', '32 GB', 'specs.storage'],
  ['specs.cost', '5200', 'specs.cost'],
  ['specs.原価', '5200', 'specs.原価'],
])('%s with %s becomes %s, as its name or its cells are private', (name, cell, to) => {
  expect(suggested([name], [cell], [cell]).targets).toEqual([to])
})

test.each(
  `Price (k USD), Price (USD k), 販売価格（万円）, 定価（万円）, 公价（万）, 官方价(万元), 价格（万）, Price (lakh INR), Price (in lakhs), Retail Price (k CHF), Price (k€),
  Price in kUSD, Preis (T€), Price ($000), Price (M USD), price_k, Price USD/k, Price x1000, Price × 100, Price in $1000, Price ('000),
  Price (USD'000), Price (hundreds), priceInThousands, MSRP ($K), Value ($000), Retail k$, UVP T€, MSRP in 000s, Current value k,
  Value (in thousands), price_cents, Price (cents), priceInCents, price_pence, Price (p), Price (¢), priceMinor,
  price_in_minor_units, price_micros, MSRP (cents)`.split(/,\s+/),
)('amounts of %s are no whole units of a currency: they are not read, and told', (name) => {
  const { targets, notes } = suggested([name], ['12.5'], ['8'])
  expect(targets[0]).toMatch(/^specs\./)
  expect(notes).toEqual([
    `${name}: prices in cents, thousands or another multiple are not read: write the amounts in full.`,
  ])
})

test.each(['Price 18k', 'Price 2000', 'Price ($)', 'Price (M)', 'Center price', 'Price, Minora collection'])(
  'amounts of %s are in full',
  (name) => {
    expect(suggested([name], ['12500']).notes.filter((note) => note.includes('multiple'))).toEqual([])
  },
)

describe('of two columns for one price', () => {
  test.each([
    [['MSRP', 'Retail'], retail],
    [['Discount Price', 'Price'], market],
    [['Sonderpreis', 'Preis'], market],
    [['Precio oferta', 'Precio'], market],
  ])('the first counts, and the second fills in: %j', (names, target) => {
    for (const order of [names, names.toReversed()]) {
      const { columns, notes } = suggested(order, ['900', '1000'], ['', '800'])
      const named = new Map(columns.map((column) => [column.column, column]))
      expect(named.get(names[0] ?? '')).toEqual({ column: names[0], to: target, as: 'money' })
      expect(named.get(names[1] ?? '')).toMatchObject({ to: target, isFallback: true })
      expect(notes).toEqual([])
    }
  })
})

test.each([
  ['Price (tax incl.)', 'Price (tax excl.)', market],
  ['Price', 'Price ex VAT', market],
  ['Preis brutto', 'Preis netto', market],
  ['Price incl. 8.1% VAT', 'Price excl. 8.1% VAT', market],
  ['Gross price', 'Net price', market],
  ['Prix TTC', 'Prix HT', market],
  ['Price inc VAT', 'Price ex VAT', market],
  ['価格（税込）', '価格（税抜）', market],
  ['MSRP after tax', 'MSRP before tax', retail],
  ['Price incl. VAT (EUR)', 'Price excl. VAT (EUR)', market],
])('%s counts beside %s, which is a spec and told', (full, net, target) => {
  for (const order of [
    [full, net],
    [net, full],
  ]) {
    const { columns, notes } = suggested(order, ['900', '1000'], ['', '800'])
    expect(columns.find(({ column }) => column === full)).toMatchObject({ to: target })
    expect(columns.find(({ column }) => column === net)?.to).toMatch(/^specs\./)
    expect(notes).toEqual([
      `These look like prices, but become specs: ${net}: a mapping can make one the market or the retail price.`,
    ])
  }
})

test('a price without tax is the market price if there is no other', () => {
  for (const name of ['Price ex VAT', 'Net price', 'Preis netto'])
    expect(suggested([name, 'MSRP'], ['900', '1000']).targets).toEqual([market, retail])
})

test.each([
  ['MSRP', 'MSRP (CHF)', retail],
  ['Price', 'Price (EUR)', market],
  ['Price (USD)', 'Price (EUR)', market],
])('%s, in dollars, comes before %s', (first, second, target) => {
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const { columns } = suggested(order, ['900', '1000'], ['', '800'])
    expect(columns.find(({ column }) => column === first)).not.toHaveProperty('isFallback')
    expect(columns.find(({ column }) => column === second)).toMatchObject({ to: target, isFallback: true })
  }
})

test.each([
  'Price discount',
  'Price reduced',
  'Discount value',
  'Sale value',
  'Price list',
  'Estimated market value',
])('%s beside a price does not fill in, and is told', (name) => {
  const { columns, targets, notes } = suggested(['Price', name], ['12500', '500'], ['', '400'])
  expect(columns[0]).toEqual({ column: 'Price', to: market, as: 'money' })
  expect(targets[1]).toMatch(/^specs\./)
  expect(notes).toEqual([
    `These look like prices, but become specs: ${name}: a mapping can make one the market or the retail price.`,
  ])
})

test.each([
  ['Price', 'Reduced price', market, 'market'],
  ['Price (EUR)', 'Average market value (USD)', market, 'market'],
  ['Retail', 'Official new price', retail, 'retail'],
])('%s comes before %s, which is read by its words alone and told', (first, second, target, price) => {
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const { columns, notes } = suggested(order, ['900', '1000'], ['', '800'])
    expect(columns.find(({ column }) => column === first)).not.toHaveProperty('isFallback')
    expect(columns.find(({ column }) => column === second)).toMatchObject({ to: target, isFallback: true })
    expect(notes).toEqual([
      `The column ${second} is taken for the ${price} price where the others are empty.`,
    ])
  }
})

test.each([
  [['Price 2024', 'Price 2019'], market],
  [['Price 2024', 'Market price 2019'], market],
  [['Price 2024 (EUR)', 'Price 2019 (USD)'], market],
  [['Price', 'Price 2019'], market],
  [['Asking price', 'Our price 2019'], market],
  [['UVP', 'UVP 2019'], retail],
  [['Retail price 2024', 'Retail price 2019'], retail],
])('a price of an earlier year never fills in, and is told: %j', ([first = '', old = ''], target) => {
  for (const order of [
    [first, old],
    [old, first],
  ]) {
    const { columns, notes } = suggested(order, order[0] === old ? ['5000', ''] : ['', '5000'], [
      '900',
      '800',
    ])
    expect(columns.find(({ column }) => column === first)).toMatchObject({ to: target })
    expect(columns.find(({ column }) => column === old)?.to).toMatch(/^specs\./)
    expect(notes).toEqual([
      `These look like prices, but become specs: ${old}: a mapping can make one the market or the retail price.`,
    ])
  }
})

test.each([
  ['Original price', 'Sale price'],
  ['Prix d’origine', 'Prix promo'],
  ['Ursprünglicher Preis', 'Angebotspreis'],
])('%s beside %s is an earlier price of the shop: a spec, and told', (original, sale) => {
  const { targets, notes } = suggested([original, sale], ['900', '800'], ['700', ''])
  expect(targets).toEqual([expect.stringMatching(/^specs\./), market])
  expect(notes).toEqual([
    `These look like prices, but become specs: ${original}: a mapping can make one the market or the retail price.`,
  ])
})

test('if the only prices look private, the missing price is told and they are named', () => {
  for (const name of ['Dealer price', 'Trade price', 'Floor price'])
    expect(suggested([name], ['1250']).notes).toEqual([
      `The column ${name} looks private, and is left out: a mapping can make it a spec, which everybody sees.`,
      `No column is taken for a price. Left out as private: ${name}: a mapping can take one for the market price.`,
    ])
  expect(suggested(['Dealer price', 'price_min', 'price_max'], ['1250', '1', '2']).notes.at(-1)).toBe(
    'No column is taken for a price. These look like prices: price_min, price_max: name one in a mapping. Left out as private: Dealer price: a mapping can take one for the market price.',
  )
  expect(suggested(['Dealer price', 'Price'], ['1250', '1500']).notes).toHaveLength(1)
})

test('prices that are not read are told, also if another column is a price', () => {
  const names = ['Price', 'Estimation basse', 'Compare At Price', 'price_url', 'price_updated']
  const row = ['5000', '4 000 €', '6000', 'https://shop.test/1', '2024-01-02']
  expect(suggested(names, row).notes).toEqual([
    'These look like prices, but become specs: Compare At Price, Estimation basse: a mapping can make one the market or the retail price.',
  ])
})

test('a column of 0 and 1 does not keep the price from being taken', () => {
  const { targets, notes } = suggested(['price_is_negotiable', 'price_amount'], ['0', '5000'], ['1', '6000'])
  expect(targets).toEqual(['specs.price_is_negotiable', market])
  expect(notes).toEqual(['The column price_amount is taken for the market price.'])
})

test('beside prices with points before three digits, such numbers stay text', () => {
  const { columns } = suggested(
    ['Market Value', 'Low', 'High', 'Score'],
    ['12.500', '12.000', '13.000', '4.5'],
    ['9.500', '900', '11.000', '4'],
  )
  expect(columns.map(({ as }) => as)).toEqual(['money', 'text', 'text', 'number'])
})

test('a column that the mapping does not mention is read as suggested', () => {
  const rows = csvRecords([['Brello', 'B1', '900']])
  const mapping = parseMapping('{"columns":{"Marke":"brand"}}', ['Marke', 'Referenz', 'Preis CHF'], rows)
  expect(mapping.columns[2]).toMatchObject({ to: market, currency: 'CHF' })
})

test.each(`Price on Strap, Price (Bracelet), Lot Sold, Realized, Last Sale, Offer, Was, Now`.split(/,\s+/))(
  'a column %s whose cells are money is told',
  (name) => {
    for (const cells of [['£9,650'], ['$8,900'], ['11200 USD']])
      expect(suggested([name], cells).notes).toEqual([
        `No column is taken for a price. These look like prices: ${name}: name one in a mapping.`,
      ])
    expect(suggested(['Price', name], ['900', '$950']).notes).toEqual([
      `These look like prices, but become specs: ${name}: a mapping can make one the market or the retail price.`,
    ])
  },
)

test.each([
  ['Water resistance', '100 ft'],
  ['Nickname', 'RM 011'],
  ['Shipping', '$50'],
  ['Note', 'from $5 to $9'],
  ['Diameter', '40 mm'],
])('a column %s with %s is not told as a price', (name, cell) => {
  expect(suggested([name], [cell], [cell]).notes).toEqual([])
})

test('Sold is a price only if its cells say so', () => {
  expect(suggested(['Sold'], ['$8,900'], [''], ['Unsold'], ['Passed']).targets).toEqual([market])
  for (const cell of ['3', 'yes', 'Unsold', '2024-02-01'])
    expect(suggested(['Sold'], [cell]).targets[0]).toMatch(/^specs\./)
})

test('estimates are the last to be named', () => {
  const { notes } = suggested(['Low Estimate', 'High Estimate', 'Lot Sold'], ['$4,000', '$6,000', '$5,500'])
  expect(notes).toEqual([
    'No column is taken for a price. These look like prices: Lot Sold, Low Estimate, High Estimate: name one in a mapping.',
  ])
})

test('of retail prices of several countries that of the US counts, and the others never fill in', () => {
  const { targets, notes } = suggested(['UK RRP', 'US Retail Price'], ['900', ''], ['800', '1000'])
  expect(targets).toEqual(['specs.uk_rrp', retail])
  expect(notes).toEqual([
    'These look like prices, but become specs: UK RRP: a mapping can make one the market or the retail price.',
  ])
})

test('the currency in the header of an eBay template is that of all prices', () => {
  for (const currency of ['GBP', 'USD']) {
    const action = `*Action(SiteID=UK|Country=GB|Currency=${currency}|Version=1193)`
    const { columns } = suggested([action, '*Title', 'Price', 'Start price'], ['Draft', 'A', '900', '800'])
    expect(columns.slice(2)).toMatchObject([{ currency }, { currency }])
  }
})

test.each([
  ['What is the retail price in EUR?', retail, 'EUR'],
  ['Asking price in euros?', market, 'EUR'],
  ['Price in CHF (incl. VAT)?', market, 'CHF'],
  ['Price in GBP please', market, 'GBP'],
  ['How much is it worth today (in €)?', market, 'EUR'],
  ['Retail price today (EUR incl. VAT)', retail, 'EUR'],
])('the currency in the name %s counts, also if the operator names the price', (name, to, currency) => {
  const map = JSON.stringify({ columns: { [name]: to } })
  const { columns } = parseMapping(map, ['Brand', 'Ref', name], csvRecords([['Brello', 'B1', '12500']]))
  expect(columns[2]).toMatchObject({ to, currency })
  const [suggestedColumn] = suggested([name], ['12500']).columns
  if (suggestedColumn?.to === to) expect(suggestedColumn).toMatchObject({ currency })
})
