// Tests `watchdata import --resolve`: a file of offers with titles, over the sample catalogue.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { openSampleFixture } from './sample-fixture.ts'
import { warmly } from './warm-command.ts'

const sqlite = createEngine()
const header = 'Title,Price USD,SKU\n'

test('a title that means a watch of the catalogue brings its price, one with another reference a new watch', async () => {
  const { run, rows } = await place(
    'offers.csv',
    `${header}*MINT* Rolex Sub Date 116610LV Full Set 2018 box+papers,14500,A1
Rolex Submariner 126619LB 41mm blue dial white gold,41000,A2
`,
  )
  expect((await run('--resolve')).stdout).toContain('2 rows: 1 created, 1 updated, 0 unchanged, 0 rejected.')
  expect(await rows('116610LV')).toMatchObject([{ collection: 'Submariner', current_market_price: 14_500 }])
  const [added] = await rows('126619LB')
  expect(added).toMatchObject({ brand: 'Rolex', current_market_price: 41_000 })
  expect(added.specs).toMatchObject({ case_diameter: '41 mm', dial_color: 'Blue', sku: 'A2' })
  expect(JSON.stringify(added.specs)).not.toContain('Submariner')
  expect((await run('--resolve')).stdout).toContain('2 rows: 0 created, 0 updated, 2 unchanged, 0 rejected.')
})

test('a title that may mean several watches, or something else, is rejected with what it may mean', async () => {
  const { run, rejected } = await place(
    'offers.csv',
    `${header}Omega Speedmaster,3000,A1
strap for Rolex 116610LV,90,A2
Box of old magazines,5,A3
`,
  )
  expect((await run('--resolve')).code).toBe(1)
  const reasons = await rejected()
  expect(reasons[0]).toMatch(
    /does not clearly mean one watch\. It may be: Omega Speedmaster .*; Omega Speedmaster/,
  )
  expect(reasons[1]).toMatch(/116610LV/)
  expect(reasons[2]).toBe('The title names no watch of the catalogue.')
})

test('a row with brand and reference is read as it is, without the remark behind the reference', async () => {
  const { run, rows } = await place(
    'offers.csv',
    'Name,Brand,Reference,Price\nwhatever this is,Rolex,116610LV (Submariner Date),15000\n',
  )
  expect((await run('--resolve')).stdout).toContain('1 row: 0 created, 1 updated')
  expect(await rows('116610LV')).toMatchObject([{ current_market_price: 15_000 }])
})

test('the column of the titles can be named, and a file without one is refused with its columns', async () => {
  const { run, rows } = await place('offers.csv', 'Was,Preis\nRolex Submariner 116610LV,15100\n')
  const refused = await run('--resolve')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(
      'No column is named like a title: say --resolve COLUMN. The columns are Was, Preis.',
    ),
  ])
  expect((await run('--resolve', 'Was')).code).toBe(0)
  expect(await rows('116610LV')).toMatchObject([{ current_market_price: 15_100 }])
})

async function place(name: string, text: string) {
  const { settings } = await openSampleFixture(sqlite)
  const directory = settings.DATA_DIR
  await writeFile(path.join(directory, name), text)
  const linesOf = (lines: string) =>
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return {
    run: (...args: string[]) => warmly(['import', name, ...args], settings, directory),
    rejected: async () =>
      linesOf(await readFile(path.join(directory, 'rejected.ndjson'), 'utf8')).map(({ reason }) => reason),
    rows: async (reference: string) => {
      const { stdout } = await warmly(['export', '-', '--format', 'ndjson'], settings, directory)
      return linesOf(stdout).filter(({ reference_number }) => reference_number === reference)
    },
  }
}
