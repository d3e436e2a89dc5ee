// Tests `watchdata import` as an operator runs it: from the first file on a bare machine to a serving process that
// shows it.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { compileCache } from '../compile-cache.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { workbookFile } from '../files/write-xlsx.ts'
import { command } from './command.ts'
import type { Outcome } from './running.ts'
import { hasTerminal, typeInto } from './terminal.ts'
import { serveWarmly, warmly } from './warm-command.ts'

const table = `Brand,Model,Ref.,Price,Dial Colour,Water Resistance (M)
Rolex,Datejust 36,126234,"USD 9,850",Blue,100
Tudor,Black Bay,79030B,4610,Black,200
`
const showMaxMs = 10_000
const lookMs = 50

describeEachEngine('import', (engine) => {
  test('is shown by a serving process without a restart', async () => {
    const settings = { ...(await engine.settings('sample')) }
    const serving = await serveWarmly(settings)
    const { file } = await place('a.csv', table)
    const outcome = await warmly(['import', file, '--json'], settings, path.dirname(file))
    expect([outcome.code, outcome.stderr]).toEqual([0, ''])
    const headers = { authorization: `Bearer ${serving.demo_key}` }
    const find = async () => {
      const response = await fetch(
        `${serving.api}/watches?reference_number=79030B&spec[water_resistance]=20%20bar`,
        {
          headers,
        },
      )
      const { data } = (await response.json()) as { data: { current_market_price: number }[] }
      return data
    }
    const untilMs = performance.now() + showMaxMs
    let found = await find()
    while (found[0]?.current_market_price !== 4610 && performance.now() < untilMs) {
      await delay(lookMs)
      found = await find()
    }
    expect(found).toMatchObject([{ brand: 'Tudor', current_market_price: 4610 }])
  })

  test('works with the first file on a bare machine, and changes nothing the second time', async () => {
    const settings = { ...(await engine.settings()) }
    const { file, directory } = await place('a.csv', table)
    const first = await warmly(['import', file], settings, directory)
    expect(first.code).toBe(0)
    expect(first.stderr).toMatch(/Ref\. +reference_number/)
    expect(first.stderr).toMatch(/Water Resistance \(M\) +specs\.water_resistance/)
    expect(first.stdout).toContain('2 rows: 2 created, 0 updated, 0 unchanged, 0 rejected.')
    expect(first.stdout).toContain(
      '1 price without a currency was taken as US dollars: say --currency EUR, for example, if it is not.',
    )
    const second = await warmly(['import', file], settings, directory)
    expect(second.stdout).toContain('2 rows: 0 created, 0 updated, 2 unchanged, 0 rejected.')
  })
})

const sqlite = createEngine()

test('a dry run on a bare machine leaves nothing behind', async () => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place('a.csv', table)
  const { code, stdout } = await warmly(['import', file, '--dry-run'], settings, directory)
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 would be created')])
  await expect(stat(path.join(settings.DATA_DIR, 'watchdata.sqlite'))).rejects.toThrow()
})

test('a suggested mapping can be edited and passed back', async () => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place('a.csv', table)
  const suggested = await warmly(['import', file, '--suggest-map'], settings, directory)
  expect([suggested.code, suggested.stderr]).toEqual([0, ''])
  const mapping = JSON.parse(suggested.stdout)
  mapping.columns.Price = 'retail_price_usd'
  mapping.columns['Dial Colour'] = null
  const map = path.join(directory, 'mapping.json')
  await writeFile(map, JSON.stringify(mapping))
  const outcome = await warmly(['import', file, '--map', map, '--json'], settings, directory)
  expect([outcome.code, JSON.parse(outcome.stdout).created]).toEqual([0, 2])
  const exported = await warmly(['export', '-', '--format', 'ndjson'], settings)
  const [first = ''] = exported.stdout.split('\n')
  expect(JSON.parse(first)).toMatchObject({
    retail_price_usd: 9850,
    current_market_price: null,
    specs: { water_resistance: '100 m' },
  })
})

test('a file can come through a pipe, compressed or not', async () => {
  const settings = { ...(await sqlite.settings()) }
  expect((await piped(settings, table)).stdout).toContain('2 created')
  expect((await piped(settings, gzipSync(table))).stdout).toContain('2 unchanged')
})

test.skipIf(!hasTerminal)(
  'a pipe named on a terminal loses no row, and is assumed to be in dollars',
  async () => {
    const settings = { ...(await sqlite.settings()) }
    const rows = Array.from(
      { length: 20_000 },
      (_, at) => `{"brand":"Rolex","reference":"${at}","price":100}\n`,
    )
    const { file, directory } = await place('a.ndjson', rows.join(''))
    const line = `cd ${directory} && bash -c '${command} import <(cat ${file}) --max-errors 0'`
    const { status, stdout } = await typeInto(line, settings, '\n')
    expect([status, stdout]).toEqual([0, expect.stringContaining('20,000 rows: 20,000 created')])
    expect(stdout).toMatch(
      /Prices of \/dev\/fd\/\d+ without a currency are taken as US dollars: say --currency EUR/,
    )
  },
)

test('a workbook is read by sheet, and its euros are never taken for dollars', async () => {
  const settings = { ...(await sqlite.settings()) }
  const euros = (value: number) => ({ value, format: '[$€-407] #,##0.00' })
  const prices = [
    ['Brand', 'Ref.', 'Prices', null, 'Dial'],
    [null, null, 'Retail', 'Market', 'Colour'],
    ['Rolex', 126234, 9850, { value: 9000, format: '"$"#,##0' }, 'Blue'],
    [null, 124060, euros(9100), 11_000, 'Black'],
  ]
  const merged = ['A1:A2', 'B1:B2', 'C1:D1', 'A3:A4']
  const old = [
    ['Brand', 'Reference'],
    ['Tudor', '79030B'],
  ]
  const book = workbookFile([
    { name: 'New', rows: prices, merged },
    { name: 'Old', rows: old },
  ])
  const { file, directory } = await place('a.xlsx', book)
  const first = await warmly(['import', file], settings, directory)
  expect(first.stderr).toContain(`${file}: XLSX, sheet "New"; not read: "Old"\n`)
  expect(first.stdout).toContain('2 rows: 2 created, 0 updated, 0 unchanged, 0 rejected.')
  expect(first.stdout).toContain('1 × Prices Retail: is EUR: say --rate EUR=…')
  const second = await warmly(['import', file, '--rate', 'EUR=2', '--json'], settings, directory)
  expect(JSON.parse(second.stdout)).toMatchObject({ updated: 1, unchanged: 1 })
  const third = await warmly(['import', file, '--sheet', 'old', '--json'], settings, directory)
  expect(JSON.parse(third.stdout)).toMatchObject({ rows: 1, created: 1 })
  const exported = await warmly(['export', '-', '--format', 'ndjson'], settings)
  expect(
    exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { brand: 'Rolex', reference_number: '126234', retail_price_usd: 9850, current_market_price: 9000 },
    { brand: 'Rolex', reference_number: '124060', retail_price_usd: 18_200, specs: { dial_color: 'Black' } },
    { brand: 'Tudor', reference_number: '79030B' },
  ])
})

test('cells that could not be read and rejected rows are told, and listed in rejected.ndjson', async () => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place('a.csv', `${table}Omega,Seamaster,1,EUR 100,Blue,splash\n`)
  const { code, stdout } = await warmly(['import', file], settings, directory)
  expect(code).toBe(0)
  expect(stdout).toBe(`3 rows: 3 created, 0 updated, 0 unchanged, 0 rejected.
3 brands created.
1 price without a currency was taken as US dollars: say --currency EUR, for example, if it is not.
1 cell could not be read and was left empty; an existing watch keeps its value.
  1 × Price: is EUR: say --rate EUR=…, US dollars for one
  1 value of specs.water_resistance is no quantity, so range filters do not find it: "splash"
rejected.ndjson has the rows and cells that were left out, and why.
This was run 1: \`watchdata imports undo 1\` takes it back.
`)
  const [line = ''] = (await readFile(path.join(directory, 'rejected.ndjson'), 'utf8')).split('\n')
  expect(JSON.parse(line)).toMatchObject({ file, line: 4, column: 'Price', value: 'EUR 100', kind: 'cell' })
  const strict = await warmly(['import', file, '--strict'], settings, directory)
  expect([strict.code, strict.stdout]).toEqual([0, expect.stringContaining('1 rejected')])
})

test('a file of which no price can be read is imported, but fails loudly', async () => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place(
    'a.csv',
    'brand,reference,price\nRolex,1,$8294k\nRolex,2,€5 or €6\n',
  )
  const { code, stdout } = await warmly(['import', file], settings, directory)
  await writeFile(file, 'brand,reference,price\nRolex,1,see notes\nRolex,2,#REF!\n')
  const text = await warmly(['import', file], settings, directory)
  expect(text.stdout).toContain('NO PRICE COULD BE READ: the column price has no price in its first rows')
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      '\nNO PRICE COULD BE READ: all 2 cells for current_market_price were left empty. Most often: price: reads "$8294k": write the amount in full.\n',
    ),
  ])
})

test('the list of imports counts nothing of a run that wrote nothing, and tells where older runs are', async () => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place('a.csv', table)
  await warmly(['import', file], settings, directory)
  const bad = await place('b.csv', `${table.replaceAll('Black', 'Grey')}Omega,,,,,\n`)
  const stopped = await warmly(['import', bad.file, '--max-errors', '0'], settings, directory)
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('Nothing was written.')])
  const whole = await warmly(['imports', 'list'], settings)
  expect(whole.stdout).toMatch(/^ *2 .* failed +0 +0 +0 +1 .*\n *1 .* done +\d+ +0 +0 +0 /m)
  const shown = await warmly(['imports', 'show', '2'], settings)
  expect(shown.stdout).toMatch(
    /b\.csv \(csv, [\d,]+ bytes\)\n(.*\n)+ {2}rejected +1\n.* Nothing was written\.\n/,
  )
  expect(shown.stdout).not.toMatch(/^ {2}(created|updated|rows)/m)
  const { stdout } = await warmly(['imports', 'list', '--limit', '1'], settings)
  expect(stdout).toMatch(/ failed .*\nOlder runs are listed with --limit 5\.\n$/)
})

test.each([
  [['--rate', 'EUR'], 'EUR=1.08'],
  [['--map', 'nowhere.json'], 'nowhere.json'],
  [['--prune'], '--yes'],
])('%j is rejected in one sentence', async (flags, words) => {
  const settings = { ...(await sqlite.settings()) }
  const { file, directory } = await place('a.csv', table)
  await warmly(['import', file], settings, directory)
  const other = await place('b.csv', table.replace(/^Tudor.*\n/m, ''))
  const { code, stderr } = await warmly(['import', other.file, ...flags], settings, directory)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^watchdata: .*\.\n$/m)
  expect(stderr).toContain(words)
})

async function place(
  name: string,
  contents: string | Uint8Array,
): Promise<{ file: string; directory: string }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-files-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, name)
  await writeFile(file, contents)
  return { file, directory }
}

async function piped(env: NodeJS.ProcessEnv, input: string | Uint8Array): Promise<Outcome> {
  const child = spawn(command, ['import', '-'], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    cwd: tmpdir(),
  })
  child.stdin.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (piece) => (stdout += piece))
  child.stderr.on('data', (piece) => (stderr += piece))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
