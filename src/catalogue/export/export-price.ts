// Writes a price to a cell of an exported CSV, and reads it back. Spreadsheets in other languages show 10250 as 10.250, and
// fill 0 in where nothing is: no cell of an export looks so, and the import refuses such cells.
import { findNumber } from '../../specs/numbers.ts'
import { priceMax } from '../prices.ts'

const pointBeforeThree = /\.\d{3}$/
const zero = /^0+(?:\.0{1,2})?$/
const noExactPrice = 'is no price in plain digits: write a price like 10250 or 10250.50'
const isZero = 'is 0, which is no price: empty the cell if there is none'

/** Thousandths get a fourth decimal, and so does a stored 0. */
export function writeExportPrice(price: number): string {
  const text = String(price)
  if (text === '0') return '0.0000'
  return pointBeforeThree.test(text) ? `${text}0` : text
}

/** Returns the price, or what is wrong with the cell as the end of a sentence that begins with the name of the column. */
export function readExportPrice(cell: unknown): number | string {
  if (typeof cell === 'string' && zero.test(cell)) return isZero
  const isDoubtful = typeof cell === 'string' && pointBeforeThree.test(cell)
  const price = typeof cell === 'string' ? findNumber(cell) : Number(cell)
  const isPrice = price !== undefined && price >= 0 && price <= priceMax && !isDoubtful
  return isPrice ? price : noExactPrice
}
