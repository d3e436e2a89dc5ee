import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { tellBareDepths } from './bare-depths.ts'
import { suggestMapping } from './suggest-mapping.ts'

const told = (column: string, cells: readonly string[]) => {
  const header = ['Brand', 'Ref', column]
  const records = csvRecords(cells.map((cell, at) => ['Brello', String(at), cell]))
  return tellBareDepths(suggestMapping(header, records), records)
}

test('water resistances without a unit that are hardly metres are told, with how to mend it', () => {
  expect(told('Water resistance', ['30', '3', '10'])).toEqual([
    'The numbers of Water resistance without a unit are read as metres, but 3 m is hardly meant. If they are bar or ATM, say so in a mapping: "Water resistance": {"to": "specs.water_resistance", "unit": "bar"}.',
  ])
})

test.each([
  ['Water resistance', ['30', '100', '200']],
  ['Water resistance', ['3 bar', '10 bar', '']],
  ['Water resistance (ATM)', ['3', '10']],
])('others are not: %s %j', (column, cells) => {
  expect(told(column, cells)).toEqual([])
})
