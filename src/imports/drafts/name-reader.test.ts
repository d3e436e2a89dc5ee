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
