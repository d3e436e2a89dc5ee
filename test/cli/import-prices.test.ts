// Tests `watchdata import-prices` as an operator runs it: its input, its output, and what is stored afterwards.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { fillPriceCatalogue } from '../catalogue/price-fixture.ts'
import { createEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { workbookFile } from '../files/write-xlsx.ts'
import { type Fixture, openFixture } from './cli-fixture.ts'
import { command, watchdata } from './command.ts'
import type { Outcome } from './running.ts'
import { hasTerminal, typeInto } from './terminal.ts'
import { warmly } from './warm-command.ts'

const sqlite = createEngine()

interface PriceRoom {
  readonly settings: Fixture['settings']
  readonly directory: string
  write(name: string, text: string | Uint8Array): Promise<string>
  run(...args: string[]): Promise<Outcome>
  json(...args: string[]): Promise<ReturnType<typeof JSON.parse>>
}

/** Opens a fixture with a catalogue, and a directory in which the command runs. */
async function openRoom(): Promise<PriceRoom> {
  const fixture = await openFixture(sqlite)
  const database = await openUnmigrated(parseConfig({ ...fixture.settings, LOG_LEVEL: 'silent' }))
  await fillPriceCatalogue(database)
  const { settings } = fixture
  const directory = path.join(settings.DATA_DIR, 'files')
  await mkdir(directory)
  const run = (...args: string[]) => warmly(['import-prices', ...args], fixture.settings, directory)
  return {
    settings,
    directory,
    async write(name, text) {
      await writeFile(path.join(directory, name), text)
      return name
    },
    run,
    async json(...args) {
      const { code, stdout, stderr } = await run(...args, '--json')
      expect([code, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    },
  }
}

describe('watchdata import-prices', () => {
  test('imports prices, prints a summary, and changes nothing when run again', async () => {
    const room = await openRoom()
    const file = await room.write(
      'prices.csv',
      'brand,reference,date,price\nOmega,310.30.42.50.01.001,2024-01-31,6000\nOmega,310.30.42.50.01.001,2024-02-29,6100\nRolex,126610LN,2024-01-31,13000\n',
    )
    const looked = await room.run(file, '--dry-run')
    expect([looked.code, looked.stdout]).toEqual([
      0,
      '3 rows: 3 lines would be added, 0 would be changed, 0 the same, 0 rejected.\nThe history of 2 watches would change; 2 would have a new current price.\n3 prices without a currency were taken as US dollars: say --currency EUR, for example, if they are not.\n\nNothing was written.\n',
    ])
    const first = await watchdata(['import-prices', file], room.settings, room.directory)
    expect([first.code, first.stdout, first.stderr]).toEqual([
      0,
      '3 rows: 3 lines added, 0 changed, 0 the same, 0 rejected.\nThe history of 2 watches changed; 2 have a new current price.\n3 prices without a currency were taken as US dollars: say --currency EUR, for example, if they are not.\nThis was run 1: `watchdata imports undo 1` takes it back.\n',
      '',
    ])
    expect(await room.json(file)).toEqual({
      run: 2,
      rows: 3,
      empty: 0,
      added: 0,
      changed: 0,
      same: 3,
      watches: 0,
      repriced: 0,
      superseded: 0,
      rejected: 0,
      reasons: [],
      assumed: { prices: 3, currency: 'USD' },
      rates: [],
      dry_run: false,
    })
  })

  test('accepts a table, retail prices, a brand, a rate, a date format, a source and a delimiter', async () => {
    const room = await openRoom()
    const table = await room.write('table.txt', 'date|126610LN|5500\n01/02/2024|€ 100|€ 200\n')
    const args = ['--as', 'retail', '--brand', 'rolex', '--rate', 'eur=1.5', '--date-format', 'dmy']
    const options = ['--source', 'maker', '--delimiter', '|', '--format', 'csv']
    expect(await room.json(table, ...args, ...options)).toMatchObject({ rows: 1, added: 2, repriced: 2 })
    const other = await room.write('again.csv', 'brand,reference,date,msrp\nRolex,5500,2024-02-01,300\n')
    expect(await room.json(other)).toMatchObject({ added: 0, changed: 0, same: 1 })
  })

  test('reads dates and merged brands of a workbook, and says which sheet it reads', async () => {
    const room = await openRoom()
    const day = (value: number) => ({ value, format: 'dd/mm/yyyy' })
    const rows = [
      [null, 'Rolex', null],
      ['Date', '126610LN', '5500'],
      [day(45_322), 13_000, 7_000],
      [day(45_323), 13_100, null],
    ]
    const sheets = [
      { name: 'History', rows, merged: ['B1:C1'] },
      { name: 'Notes', rows: [['x']] },
    ]
    const file = await room.write('prices.xlsx', workbookFile(sheets))
    const { stdout, stderr } = await room.run(file)
    expect(stdout).toContain('2 rows: 3 lines added, 0 changed, 0 the same, 0 rejected.\n')
    expect(stderr).toContain('prices.xlsx, sheet "History"; not read: "Notes".\n')
  })

  test('rejects what it cannot import, names the file that lists it, and stops past --max-errors', async () => {
    const room = await openRoom()
    const file = await room.write(
      'bad.csv',
      'reference,date,price\nnobody,2024-01-31,1\n126610LN,2024-01-31,2\n126610LN,soon,3\n126610LN,2024-02-29,\n',
    )
    const { code, stdout } = await room.run(file)
    expect([code, stdout]).toEqual([
      0,
      '4 rows: 1 line added, 0 changed, 0 the same, 2 rejected, 1 empty.\nThe history of 1 watch changed; 1 has a new current price.\n1 price without a currency was taken as US dollars: say --currency EUR, for example, if it is not.\n  1 × reference: The catalogue has no watch nobody.\n  1 × date: reads "soon": that is no day\nrejected.ndjson has what was left out, and why.\nThis was run 1: `watchdata imports undo 1` takes it back.\n',
    ])
    const lines = (await readFile(path.join(room.directory, 'rejected.ndjson'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        file: 'bad.csv',
        line: 2,
        column: 'reference',
        value: 'nobody',
        reason: 'The catalogue has no watch nobody.',
        kind: 'rejected',
      },
      {
        file: 'bad.csv',
        line: 4,
        column: 'date',
        value: 'soon',
        reason: 'reads "soon": that is no day',
        kind: 'rejected',
      },
    ])
    const stopped = await room.run(file, '--max-errors', '1', '--rejected', 'other.ndjson')
    expect([stopped.code, stopped.stdout, stopped.stderr]).toEqual([
      1,
      '',
      'watchdata: Stopped, because more than 1 row could not be imported: other.ndjson says why. Most often: reference: The catalogue has no watch nobody. Fix them, or allow more with --max-errors. Nothing was written.\n',
    ])
  })

  test('takes exchange rates from the file of CURRENCY_RATES, and those of --rate before them', async () => {
    const room = await openRoom()
    const rates = 'Date, USD, JPY, CHF, \n2024-01-31, 1.08, 160, 0.9375, \n2024-01-30, 1.2, N/A, 1, \n'
    const settings = {
      ...room.settings,
      CURRENCY_RATES: path.join(room.directory, await room.write('ecb.csv', rates)),
    }
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await warmly(['import-prices', ...args], settings, room.directory)
      return [
        code,
        stdout.split('\n').findLast((line) => line !== '' && !line.startsWith('This was run')) ?? stderr,
      ]
    }
    const file = await room.write(
      'prices.csv',
      'reference,date,price\n126610LN,2024-02-03,100\n126610LN,2024-01-30,CHF 100\n',
    )
    expect(await run(file, '--currency', 'eur')).toEqual([
      0,
      'Rates used: 1 EUR = 1.08 US dollars (of 2024-01-31); 1 CHF = 1.2 US dollars (of 2024-01-30).',
    ])
    expect(await run(file, '--currency', 'EUR', '--rate', 'EUR=1.5', '--dry-run')).toEqual([
      0,
      'Nothing was written.',
    ])
    expect(await run(file, '--currency', 'NOK')).toEqual([
      1,
      'watchdata: There is no rate for NOK: say --rate NOK=…, US dollars for one, or name a file of rates in CURRENCY_RATES.\n',
    ])
    await room.write('ecb.csv', 'Date,Open\n2024-01-31,1.08\n')
    const [code, sentence] = await run(file)
    expect([code, sentence]).toEqual([
      1,
      expect.stringMatching(/^watchdata: CURRENCY_RATES cannot be used: .*ecb\.csv has no exchange rates: /),
    ])
  })

  test.skipIf(!hasTerminal)('asks on a terminal for the currency of prices without one', async () => {
    const room = await openRoom()
    const file = path.join(
      room.directory,
      await room.write('p.csv', 'id,date,price\n1,2024-01-31,100\n1,2024-02-29,€7\n'),
    )
    const line = `${command} import-prices ${file} --rate EUR=1.5`
    const stopped = await typeInto(line, room.settings, '\u0003')
    expect([stopped.status, stopped.stdout]).toEqual([1, expect.stringContaining('nothing is imported')])
    const { status, stdout } = await typeInto(line, room.settings, 'eur\n')
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('1 price in price has no currency. Which one? [USD] '),
    ])
    expect(stdout).toContain('1 price without a currency was taken as EUR.')
    expect(stdout).toContain('Rates used: 1 EUR = 1.5 US dollars (--rate).')
  })

  test('reports invalid input in one sentence', async () => {
    const room = await openRoom()
    const file = await room.write('prices.csv', 'reference,date,price\n126610LN,2024-01-31,2\n')
    const refusal = async (...args: string[]) => {
      const { code, stdout, stderr } = await room.run(...args)
      expect([code, stdout]).toEqual([1, ''])
      return stderr
    }
    expect(await refusal('nowhere.csv')).toMatch(/^watchdata: There is no file nowhere.csv/)
    expect(await refusal(file, '--brand', 'Nobody')).toBe(
      'watchdata: The catalogue has no brand Nobody: check --brand.\n',
    )
    for (const source of [' ', 'export', 'x'.repeat(129), 'a\u0007']) {
      expect(await refusal(file, '--source', source)).toMatch(/^watchdata: --source [^\n]+\.\n$/)
    }
    expect(await refusal(file, '--rate', 'EUR')).toMatch(/^watchdata: --rate EUR cannot be read/)
    for (const args of [
      [file, '--as', 'guess'],
      [file, '--date-format', 'ymd'],
      [file, '--max-errors', 'many'],
      [],
    ]) {
      expect((await room.run(...args)).code).toBe(2)
    }
    const empty = await sqlite.settings()
    const nowhere = await warmly(['import-prices', file], { ...empty }, room.directory)
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('There is no database in')])
  })
})
