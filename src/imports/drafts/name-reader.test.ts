// Tests names that repeat those of the row above.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { draftReader } from './open-drafts.ts'

function readRows(...rows: (readonly string[])[]) {
  const records = csvRecords(rows)
  const names = ['Brand', 'Collection', 'Reference']
  const read = draftReader(suggestMapping(names, records), { rates: new Map() })
  return records.map((record) => read(record))
}

test.each(['"', "''", '〃', '″', '”', 'do.', 'Ditto', 'dito', 'idem', 'id.', '同上', '-"-', '- " -', '–〃–'])(
  '%s means the name of the row above',
  (mark) => {
    const drafts = readRows(
      ['Brello', 'Moon', 'B1'],
      [mark, mark, 'B2'],
      [mark, 'Sun', 'B3'],
      [mark, mark, 'B4'],
    )
    const names = drafts.map(
      (draft) => draft !== undefined && 'brand' in draft && [draft.brand, draft.collection],
    )
    expect(names).toEqual([
      ['Brello', 'Moon'],
      ['Brello', 'Moon'],
      ['Brello', 'Sun'],
      ['Brello', 'Sun'],
    ])
  },
)

test('a row without a name above is rejected, and so is a reference that repeats another', () => {
  const rows = [
    ['"', '', 'B1'],
    ['"', '', 'B2'],
    ['Brello', '', 'B3'],
    ['"', 'Idem', 'B4'],
    ['"', '', '"'],
  ]
  expect(readRows(...rows)).toMatchObject([
    { column: 'Brand', reason: 'repeats the row above, which has no value' },
    { column: 'Brand' },
    { brand: 'Brello' },
    { brand: 'Brello', collection: undefined, unread: ['collection'] },
    { column: 'Reference', value: '"' },
  ])
})

test.each([
  ['Ref. 126334', '126334'],
  ['Ref 126334', '126334'],
  ['REF: 16610', '16610'],
  ['Ref.126334', '126334'],
  ['Ref.: 126334', '126334'],
  ['Ref # 126334', '126334'],
  ['Réf. 3540', '3540'],
  ['Rif. 1234', '1234'],
  ['Reference 5513', '5513'],
  ['Reference No. 5513', '5513'],
  ['Ref.-Nr. 116610LN', '116610LN'],
  ['Ref. Nr.: IW3777-09', 'IW3777-09'],
  ['Ref - 126334', '126334'],
  ['REF-1234', 'REF-1234'],
  ['Ref -1234', 'Ref -1234'],
  ['REF1234', 'REF1234'],
  ['Ref. Nautilus', 'Ref. Nautilus'],
  ['Reflection 2', 'Reflection 2'],
  ['Ref.', 'Ref.'],
])('the reference %j is %j', (cell, reference) => {
  expect(readRows(['Brello', '', cell])).toMatchObject([{ reference_number: reference }])
})

test('a word before a reference does not hide that a spreadsheet has converted it', () => {
  expect(readRows(['Brello', '', 'Ref. 1.23E+11'])).toMatchObject([{ column: 'Reference' }])
})
