import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readExportPrice, writeExportPrice } from './export-price.ts'

test('a price is read back exactly, and is never written with three decimals', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.nat().map((thousandths) => thousandths / 1000),
      ),
      (price) => {
        const cell = writeExportPrice(price)
        expect(cell).not.toMatch(/\.\d{3}$/)
        expect(readExportPrice(cell)).toBe(price)
      },
    ),
  )
  expect([10250, 42.5, 1234.567, 0].map(writeExportPrice)).toEqual(['10250', '42.5', '1234.5670', '0.0000'])
})

test.each(['10.250', '1.025.000', '10.250,00', '10,250', '42,5', '13,100.00', "10'250", '$5', '-5', '1e13'])(
  'a spreadsheet’s %s is refused with an example of what to write',
  (cell) => {
    expect(readExportPrice(cell)).toBe('is no price in plain digits: write a price like 10250 or 10250.50')
  },
)

test.each(['0', '0.0', '0.00'])('%s is refused as no price', (cell) => {
  expect(readExportPrice(cell)).toMatch(/empty the cell/)
})
