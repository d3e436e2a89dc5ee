import { describe, expect, test } from 'vitest'
import { emptySample } from '../mapping/sample-columns.ts'
import type { Refusal } from '../rejects.ts'
import { isKindColumn, readKind } from './price-kind.ts'

function kindOf(cell: unknown): string {
  const column = { name: 'kind', role: { is: 'kind' }, decimal: undefined, currency: undefined } as const
  try {
    return readKind({ line: 1, column, cell })
  } catch (error) {
    return (error as Refusal).reject.reason
  }
}

const retail = `retail, Retail Price, RETAIL, list, List price, msrp, rrp, UVP, srp, mrp, PVP, new, Neu, Neupreis, Listenpreis,
  prix public, listino, Prezzo di listino, 定価, catalogue, catalog, Katalogpreis, Recommended selling price, boutique,
  retail_price_usd, Retail (EUR)`
const market = `market, Market value, market_avg, ask, asking, Asking Price, sale, last sale, sold, Sold price, Sold at auction,
  resale, secondary, Secondary market, used, pre-owned, Preowned, second hand, auction, hammer, Hammer price, Marktpreis,
  Angebotspreis, VK, Verkaufspreis, prix de vente, gebraucht, Listing, 中古価格, current_market_price`
const neither = `price, Estimate, Auction estimate, Market low, opening bid, listings, cost, Einkaufspreis, trade-in, Retail/Market,
  used retail, not retail, like new, automatic`

describe('the kind of a price', () => {
  test.each([
    ['retail', retail],
    ['market', market],
  ])('%s has many names', (kind, names) => {
    expect(names.split(/,\s+/).filter((name) => kindOf(name) !== kind)).toEqual([])
  })

  test('is refused if a cell names neither, both, or another price of the watch', () => {
    const expected = (name: string) => `reads "${name}": that is neither retail nor market`
    for (const name of neither.split(/,\s+/)) expect(kindOf(name)).toBe(expected(name))
    for (const cell of [1, true, {}, 'retail '.repeat(10_000)])
      expect(kindOf(cell)).toMatch(/: that is neither retail nor market$/)
  })

  test.each([
    ['Type', ['Retail', 'Market'], true],
    ['Art', ['Listenpreis', 'Marktpreis', 'Marktpreis', 'Schätzung'], true],
    ['種別', ['定価', '中古'], true],
    ['Value type', ['Retail', 'Insurance value'], true],
    ['metric', ['retail_price', 'market_price', 'listings'], true],
    ['type', ['automatic', 'quartz', 'new'], false],
    ['Type', ['New', 'Used', 'Pre-owned'], false],
    ['Typ', [], false],
    ['Shop', ['Retail', 'Market'], false],
  ])('is told by a column %s of %j: %s', (name, cells, isKind) => {
    expect(isKindColumn(name, { ...emptySample, cells })).toBe(isKind)
  })
})
