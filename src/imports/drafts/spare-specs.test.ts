// Tests amounts that are no prices, and are stored with the currency of their row.
import { expect, test } from 'vitest'
import { csvRecords } from '../../../test/catalogue/file-records.ts'
import { suggestMapping } from '../mapping/suggest-mapping.ts'
import { draftReader } from './open-drafts.ts'

function specsOf(names: string, ...rows: string[]) {
  const records = csvRecords(rows.map((row, at) => ['Brello', `B${at}`, ...row.split('; ')]))
  const read = draftReader(suggestMapping(['Brand', 'Ref', ...names.split('; ')], records), {
    rates: new Map(),
  })
  return records.map((record) => {
    const draft = read(record)
    return draft !== undefined && 'specs' in draft ? JSON.parse(draft.specs) : draft
  })
}

test('an estimate is stored with the currency that its row names', () => {
  const rows = [
    "9'500; 8'900; CHF; Blue",
    '9500; 12500; EUR; Red',
    '9500; 8900; USD; Red',
    '9500; 8900; ; Red',
  ]
  expect(specsOf('Price; Low Estimate; Currency; Dial', ...rows)).toEqual([
    { low_estimate: '8900 CHF', dial_color: 'Blue' },
    { low_estimate: '12500 EUR', dial_color: 'Red' },
    { low_estimate: 8900, dial_color: 'Red' },
    { low_estimate: 8900, dial_color: 'Red' },
  ])
})

test('what is no bare amount stays as it is', () => {
  expect(
    specsOf('Price; Estimate; Currency', '9500; 8900–9900; CHF', '9500; 8900 EUR; CHF', '9500; tbd; CHF'),
  ).toEqual([{ estimate: '8900–9900' }, { estimate: '8900 EUR' }, { estimate: 'tbd' }])
})

test.each([
  ['Price; Low Estimate (EUR); Currency', '9500; 8900; CHF', { low_estimate_eur: 8900 }],
  [
    'Price; Low Estimate; Low Estimate Currency; Currency',
    '9500; 8900; EUR; CHF',
    { low_estimate: 8900, low_estimate_currency: 'EUR' },
  ],
])('an amount with a currency of its own does not take that of the row: %s', (names, row, specs) => {
  expect(specsOf(names, row)).toEqual([specs])
})
