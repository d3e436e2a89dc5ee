// Tests columns whose names say one thing and whose cells another, as files of real dealers have them.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from './suggest-mapping.ts'

test('a column of yes and no is never a material, whatever its name', () => {
  const yes = [['True'], ['False'], ['True']]
  expect(targetOf('caja', yes)).toMatchObject({ to: 'specs.caja', as: 'boolean' })
  expect(targetOf('Case', yes)).toMatchObject({ to: 'specs.case', as: 'boolean' })
  expect(targetOf('Case', [['Steel'], ['Gold']])).toMatchObject({ to: 'specs.case_material' })
})

test('the only column that is named like a price and has prices is the market price, and is told', () => {
  const { columns, notes } = suggestMapping(['Brand', 'Our Price'], csvRecords([['Rolex', '£4,995']]))
  expect(columns[1]).toMatchObject({ to: 'current_market_price', as: 'money' })
  expect(notes).toEqual(['The column Our Price is taken for the market price.'])
})

test('what a dealer has paid is left out, and told', () => {
  for (const name of ['Cost Price', 'EK', 'Einkaufspreis', 'Purchase Price (EUR)']) {
    const { columns, notes } = suggestMapping(['Brand', name], csvRecords([['Rolex', '4995']]))
    expect([name, columns[1]?.to, notes?.length]).toEqual([name, null, 1])
  }
})

test('prices without a currency are in the one that most prices of the column name', () => {
  const yen = [['128,000円'], ['98,000円'], ['98000']]
  expect(targetOf('Price', yen)).toMatchObject({ as: 'money', currency: 'JPY' })
  expect(targetOf('Price', [['$5'], ['$6'], ['7']]).currency).toBeUndefined()
  expect(targetOf('Price', [['€5'], ['£6'], ['7']]).currency).toBeUndefined()
})

function targetOf(name: string, rows: readonly (readonly string[])[]) {
  const [column] = suggestMapping([name], csvRecords(rows)).columns
  return column as NonNullable<typeof column>
}
