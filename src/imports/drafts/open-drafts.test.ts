// Tests what is told and imported of small files as dealers write them, with lines above the header and rows below the list.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workbookFile } from '../../../test/files/write-xlsx.ts'
import type { DraftOptions } from '../import-options.ts'
import { adviseKey } from '../key-counts.ts'
import { type DraftBatch, openDrafts } from './open-drafts.ts'

const franc = { rates: new Map([['CHF', 1.25]]) }

async function readFile(text: string | Uint8Array, options: Partial<DraftOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'drafts-'))
  try {
    const file = path.join(folder, 'list.csv')
    await writeFile(file, text)
    const defaults = { read: {}, map: undefined, currency: undefined, brand: undefined, rates: new Map() }
    const drafts = await openDrafts(file, { ...defaults, ...options })
    const batches: DraftBatch[] = []
    for await (const batch of drafts.batches()) batches.push(batch)
    await drafts.close()
    const all = batches.flatMap((batch) => batch.drafts)
    return { start: drafts.start, batches, drafts: all, rejects: batches.flatMap(({ rejects }) => rejects) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

test.each([undefined, '{"columns":{"Marke":"brand"}}', '{"columns":{"Preis":"current_market_price"}}'])(
  'the line above the header gives prices their currency, whatever a mapping says of the columns: %s',
  async (map) => {
    const text = 'Preisliste - alle Preise in CHF;;\nMarke;Referenz;Preis\nBrello;B1;725\nBrello;B2;900\n'
    const { drafts, start } = await readFile(text, { ...franc, map })
    expect(drafts[0]?.current_market_price).toBe(906.25)
    expect(start.notes.join(' ')).toContain('names the currency: prices without one are in CHF.')
  },
)

test('texts that were read in the wrong encoding before are told', async () => {
  const noteOf = async (brand: string) => (await readFile(`Brand,Ref\n${brand},A1\n`)).start.notes
  expect(await noteOf('A. Lange & SÃ¶hne')).toEqual([
    '"A. Lange & SÃ¶hne" looks as if the text had been read in another encoding before it was saved: export it again as UTF-8.',
  ])
  for (const brand of ['A. Lange & Söhne', 'SÃO PAULO', 'Âme']) expect(await noteOf(brand)).toEqual([])
})

test('columns without a name and a value are not listed', async () => {
  const { start } = await readFile('Brand,Ref,Dial,,\nOris,A1,Blue,x,\nOris,A2,Red,,\n')
  expect(start.mapping.map(({ column }) => column)).toEqual(['Brand', 'Ref', 'Dial', 'column_4'])
})

test('a mapping that names the currency of a column, and --currency, come before that line', async () => {
  const text = 'Alle Preise in CHF;;\nMarke;Referenz;Preis\nBrello;B1;725\n'
  const map = '{"columns":{"Preis":{"to":"current_market_price","currency":"USD"}}}'
  for (const options of [{ map }, { currency: 'USD' }])
    expect((await readFile(text, options)).drafts[0]?.current_market_price).toBe(725)
})

test('sections, totals and remarks of a list are rejected, also if --brand is given', async () => {
  const rows = 'ROLEX;;;\n126334;Blue;Steel;9000\nSubtotal Rolex;;;9000\nPrices exclude VAT;E&OE;;\n'
  const { drafts, rejects } = await readFile(`Ref;Dial;Case;Price\n${rows}`, { brand: 'Various' })
  expect(drafts.map(({ reference_number }) => reference_number)).toEqual(['126334'])
  expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'The row is a heading or a remark, not a watch.'],
    [4, 'The row is a total, not a watch.'],
    [5, 'The row is a heading or a remark, not a watch.'],
  ])
})

test('a key is advised by the rows that can be watches', async () => {
  const rows = ['Omega;;1', 'Omega;;2', 'Omega;;3', 'Total;;3'].join('\n')
  const { batches } = await readFile(`Brand;Ref;Lot\n${rows}\n`)
  expect(adviseKey(batches.at(-1)?.keys ?? [])).toBe(
    'import with --key lot, as lot is different in 3 of 3 rows',
  )
})

test('a list without references can be imported by the numbers of its rows', async () => {
  const { batches } = await readFile('No.;Brand;Ref\n1;Omega;\n2;Omega;\n3;Omega;\n')
  expect(adviseKey(batches.at(-1)?.keys ?? [])).toBe(
    'import with --key no, as no is different in 3 of 3 rows',
  )
})

test('what is counted of the cells leaves out rejected rows', async () => {
  const rows = 'Omega;A1;40 mm;5000\nOmega;;Blue;on request\nOmega;;n. a.;see notes\n'
  const { batches } = await readFile(`Brand;Ref;Case diameter;Price\n${rows}`)
  const [{ report } = {}] = batches
  expect(report?.oddValues).toEqual([])
  expect(report?.placeholders.count).toBe(0)
  expect([...(report?.prices ?? [])]).toEqual([['current_market_price', { read: 1, unread: 0 }]])
})

test('a file without a brand or a reference is refused with that first', async () => {
  const text = "Modell;Prix d'achat;Preis\nDiver;500;900\n"
  await expect(readFile(text, { brand: 'Oris' })).rejects.toThrow(
    /^No column is known to be the reference number: .* The column Prix d'achat looks private/s,
  )
})

test('columns in a group are in its currency, and private if the group is', async () => {
  const names = [
    ['Uhr', null, 'Prices (CHF)', null, null, 'Einkauf'],
    ['Marke', 'Referenz', 'List', 'Ask', 'Margin', 'Datum', 'Preis'],
  ]
  const rows = [...names, ['Brello', 'B1', 800, 725, 100, '03/2021', 600], ['Brello', 'B2', 900, 850, 50]]
  const merged = ['A1:B1', 'C1:E1', 'F1:G1']
  const { drafts, start } = await readFile(workbookFile([{ rows, merged }]), franc)
  expect(start.mapping.map(({ becomes }) => becomes)).toEqual([
    ...['brand', 'reference_number', 'retail_price_usd', 'current_market_price'],
    ...['(left out)', '(left out)', '(left out)'],
  ])
  expect(drafts[0]).toMatchObject({ retail_price_usd: 1000, current_market_price: 906.25, specs: '{}' })
})

test('a line of units below the names is read with them, and is no row', async () => {
  const rows = 'Brand;Ref;Depth rating;Case;Price\n;;ft;mm;CHF\nBrello;B1;330;42;725\nBrello;B2;100;41;900\n'
  const { drafts, rejects, batches, start } = await readFile(rows, franc)
  expect(drafts.map(({ current_market_price, specs }) => [current_market_price, specs])).toEqual([
    [906.25, '{"water_resistance":"330 ft","case_diameter":"42 mm"}'],
    [1125, '{"water_resistance":"100 ft","case_diameter":"41 mm"}'],
  ])
  expect([rejects.length, batches.at(-1)?.rows, start.bare.count]).toEqual([0, 2, 0])
  expect(start.mapping[2]).toMatchObject({ as: 'quantity, ft', example: '330 ft' })
  const only = await readFile('Brand;Ref;Price\n;;CHF\nBrello;B1;725\n', franc)
  expect(only.drafts.map(({ current_market_price }) => current_market_price)).toEqual([906.25])
})
