// Tests in which files `¥` is the yuan.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'
import { withYuan } from './yuan-prices.ts'

function read(names: string, cells: readonly string[], given: { named?: string; map?: string } = {}) {
  const rows = csvRecords(cells.map((cell, at) => ['Brello', `B${at}`, ...cell.split('; ')]))
  const mapping = suggestMapping(names.split(', '), rows)
  return withYuan(mapping, rows, { named: given.named, map: given.map })
}

const latin = 'Brand, Reference, Price'
const han = '品牌, 型号, 价格'

test.each([
  [han, ['¥98,000', '¥12,500'], {}, 'CNY'],
  ['品牌, 型號, 價格', ['￥98,000', '9800'], {}, 'CNY'],
  [latin, ['¥98,000', '¥12,500'], { named: 'CNY' }, 'CNY'],
  [latin, ['¥98,000', '12.5万元'], {}, 'CNY'],
  [latin, ['¥98,000', '98000人民币'], {}, 'CNY'],
  [latin, ['¥98,000', '¥12,500'], {}, 'JPY'],
  ['ブランド, 型番, 価格', ['¥98,000'], {}, 'JPY'],
  ['brand, 型番, 定価', ['¥98,000'], {}, 'JPY'],
  [han, ['¥98,000', '¥12,500'], { named: 'JPY' }, 'JPY'],
  [
    han,
    ['¥98,000'],
    { map: '{"columns": {"价格": {"to": "current_market_price", "currency": "JPY"}}}' },
    'JPY',
  ],
  ['品牌, 型号, 价格 (JPY)', ['¥98,000'], {}, 'JPY'],
  [han, ['JP¥98,000', 'JP¥12,500'], {}, 'JPY'],
  ['品牌, 型号, 价格, 通貨', ['¥98,000; CNY'], {}, undefined],
])('%s with %s and %j: %s', (names, cells, given, currency) => {
  expect(read(names, cells, given).columns[2]?.currency).toBe(currency)
})

test('prices in yuan are told, and no longer as yen', () => {
  expect(read(han, ['¥98,000', '¥12,500', '9800']).notes).toEqual([
    '价格: ¥ and prices without a currency are in CNY.',
  ])
})
