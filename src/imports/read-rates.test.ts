import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readRates } from './read-rates.ts'

async function read(name: string, text: string) {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-rates-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, name)
  await writeFile(file, text)
  return Object.fromEntries(await readRates(file))
}

describe('a file of exchange rates', () => {
  test('is a list of dates, currencies and rates, in any order', async () => {
    const rates = {
      EUR: [
        { day: '2024-01-30', usd: 1.08 },
        { day: '2024-01-31', usd: 1.09 },
      ],
      JPY: [{ day: '2024-01-31', usd: 0.0068 }],
    }
    const rows = [
      ['2024-01-31', 'eur', 1.09],
      ['2024-01-31', 'JPY', 0.0068],
      ['2024-01-30', 'EUR', 1.08],
    ]
    const text = rows.map((row) => row.join()).join('\n')
    expect(await read('rates.csv', `date,currency,rate\n${text}\n`)).toEqual(rates)
    const objects = rows.map(([date, currency, rate]) => ({ rate, date, currency, source: 'x' }))
    expect(await read('rates.json', JSON.stringify(objects))).toEqual(rates)
  })

  test('is the table of the European Central Bank, of one day or of all', async () => {
    const all = 'Date,USD,JPY,CZK,\n2024-01-31,1.0837,160.19,N/A,\n1999-01-04,1.1789,133.73,0.58231,\n'
    const { EUR, JPY, CZK, USD } = await read('eurofxref-hist.csv', all)
    expect(EUR).toEqual([
      { day: '1999-01-04', usd: 1.1789 },
      { day: '2024-01-31', usd: 1.0837 },
    ])
    expect(JPY?.at(-1)?.usd).toBeCloseTo(1.0837 / 160.19, 12)
    expect([CZK?.length, USD]).toEqual([1, undefined])
    const one = 'Date, USD, JPY, BGN, \n31 January 2024, 1.0837, 160.19, 1.9558, \n'
    expect((await read('eurofxref.csv', one)).BGN).toEqual([{ day: '2024-01-31', usd: 1.0837 / 1.9558 }])
  })

  test.each([
    [
      'day,rate\n2024-01-31,1\n',
      /rates\.csv has no exchange rates: its columns must be date, currency and rate, or /,
    ],
    [
      'date,currency,rate\n31/02,EUR,1\n',
      /rates\.csv:2: date reads "31\/02": write a day like 2024-01-31\.$/,
    ],
    ['date,currency,rate\n2024-01-31,Mark,1\n', /:2: currency reads "Mark": write an ISO code like EUR\.$/],
    ['date,currency,rate\n2024-01-31,EUR,"1,08"\n', /:2: rate reads "1,08": write a number like 1\.08\.$/],
    ['date,currency,rate\n2024-01-31,EUR,0\n', /:2: rate reads "0": write a number like 1\.08\.$/],
    [
      'date,currency,rate\n2024-01-31,EUR,1\n2024-01-31,EUR,2\n',
      /:3: EUR has a second rate on 2024-01-31: leave out one\.$/,
    ],
    ['Date,USD,JPY\n2024-01-31,1.08,much\n', /:2: JPY reads "much": write a number like 1\.08\.$/],
    ['date,currency,rate\n', /rates\.csv has no exchange rates: it has no rows\.$/],
  ])('%j is refused in one sentence', async (text, sentence) => {
    await expect(read('rates.csv', text)).rejects.toThrow(sentence)
  })
})
