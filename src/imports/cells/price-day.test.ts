import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { areMonthNames, type DayOrder, findDayOrder, isDayName, parseMoment } from './price-day.ts'

const dayOf = (cell: unknown, order?: DayOrder) => {
  const moment = parseMoment(cell, { given: order })
  return typeof moment === 'number' ? new Date(moment).toISOString().slice(0, 10) : moment.reason
}

describe('a day', () => {
  test.each([
    ['2024-01-31', '2024-01-31'],
    [' 2024-1-5 ', '2024-01-05'],
    ['2024/01/31', '2024-01-31'],
    ['2024.01.31', '2024-01-31'],
    ['20240131', '2024-01-31'],
    [20240131, '2024-01-31'],
    ['31.01.2024', '2024-01-31'],
    ['01.02.2024', '2024-02-01'],
    ['31/01/2024', '2024-01-31'],
    ['01/31/2024', '2024-01-31'],
    ['31-01-2024', '2024-01-31'],
    ['05/05/2024', '2024-05-05'],
    ['Jan 2024', '2024-01-01'],
    ['january 2024', '2024-01-01'],
    ['Sept. 2024', '2024-09-01'],
    ['2024 Jan', '2024-01-01'],
    ['Jan-2024', '2024-01-01'],
    ['2024-01', '2024-01-01'],
    ['2024/12', '2024-12-01'],
    ['12/2024', '2024-12-01'],
    ['31 Jan 2024', '2024-01-31'],
    ['31-Jan-2024', '2024-01-31'],
    ['1st February, 2024', '2024-02-01'],
    ['Jan 31, 2024', '2024-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['31/01/24', '2024-01-31'],
    ['15.3.24', '2024-03-15'],
    ['15.3.70', '1970-03-15'],
    ['15.3.69', '2069-03-15'],
    ['31-Jan-24', '2024-01-31'],
    ['15 Mar 24', '2024-03-15'],
    ['Jan-24', '2024-01-01'],
    ["Jan '24", '2024-01-01'],
    ['März 2024', '2024-03-01'],
    ['15. März 2024', '2024-03-15'],
    ['mars 2024', '2024-03-01'],
    ['1er août 2024', '2024-08-01'],
    ['15 dicembre 2024', '2024-12-15'],
    ['15 de septiembre de 2024', '2024-09-15'],
    ['15 de março de 2024', '2024-03-15'],
    ['mrt 2024', '2024-03-01'],
    ['2024年3月15日', '2024-03-15'],
    ['2024年3月', '2024-03-01'],
    ['2024-01-31T23:59:59,999+00:00', '2024-01-31'],
    ['2024-01-31T23:59:59Z', '2024-01-31'],
    ['2024-01-31 23:59:59.123456', '2024-01-31'],
    ['2024-01-31T23:30:00-02:00', '2024-01-31'],
    ['2024-02-01T00:00:00+01:00', '2024-02-01'],
    ['Thu, 7 Mar 2024', '2024-03-07'],
    ['Fri Mar 08 2024', '2024-03-08'],
    ['Saturday, March 9, 2024', '2024-03-09'],
    ['lundi 15 janvier 2024', '2024-01-15'],
    ['Mittwoch, 11. Juli 2023', '2023-07-11'],
    ['Mon, 18 Mar 2024 12:00:00 GMT', '2024-03-18'],
    ['8 setiembre 2023', '2023-09-08'],
    ['1º marzo 2023', '2023-03-01'],
    ['12. Febr. 2023', '2023-02-12'],
    ['1st of April 2024', '2024-04-01'],
    ['15.02.2024, 14:30 Uhr', '2024-02-15'],
    ['2024-01-31 10:00 UTC', '2024-01-31'],
    ['2024-01-31 T 10:00', '2024-01-31'],
    ['\u200e31/\u200e01/\u200e2024', '2024-01-31'],
    ['2024‐01–31', '2024-01-31'],
    ['２０２４年３月１５日', '2024-03-15'],
    ['1/31/2024 11:59\u202fPM', '2024-01-31'],
    ['1 August 2024 10:00', '2024-08-01'],
    ['1/31/2024 11:59 PM', '2024-01-31'],
    ['Okt 26', '2026-10-01'],
    ['Okt. 2026', '2026-10-01'],
    ['Mai 26', '2026-05-01'],
    ['févr. 26', '2026-02-01'],
    ['Mar 98', '1998-03-01'],
    ['Jan 00', '2000-01-01'],
    ['98-Feb', '1998-02-01'],
    ['1706659200', '2024-01-31'],
    [1706659200000, '2024-01-31'],
  ])('%s is %s', (written, day) => expect(dayOf(written)).toBe(day))

  test.each([
    ['01/02/2024', 'that may be two days, so give --date-format dmy or mdy'],
    ['1-2-2024', 'that may be two days, so give --date-format dmy or mdy'],
    ['2023-02-29', 'there is no such day'],
    ['31.04.2024', 'there is no such day'],
    ['32/01/2024', 'there is no such day'],
    ['2024-13', 'there is no such day'],
    ['2024-00-10', 'there is no such day'],
    ['31-01-24', 'write the year with four digits'],
    ['Jan 24', 'write the year with four digits'],
    ['1/24', 'write the year with four digits'],
    ['26-Feb', 'write the year with four digits'],
    ['26. Okt', 'write the year with four digits'],
    ['01/02/24', 'that may be two days, so give --date-format dmy or mdy'],
    ['0024-01-31', 'that is before 1900'],
    ['2024', 'that is no day'],
    ['Q1 2024', 'that is a part of a year: write its first or last day'],
    ['2024-W12-3', 'that is a part of a year: write its first or last day'],
    ['Foo 2024', 'that is no day'],
    ['2024-01-3¹', 'that is no day'],
    ['45322', 'that is the number of a day: format the column as a date in the spreadsheet'],
    ['yesterday', 'that is no day'],
    ['2024-01-31 25:00', 'there is no such time'],
    ['2024-01-31 13:00 pm', 'there is no such time'],
  ])('%s is rejected: %s', (written, why) => expect(dayOf(written)).toBe(`reads "${written}": ${why}`))

  test('that is too long is rejected at once, however it is written', () => {
    for (const part of ['t', ' ', '1', '1 ', '-', 'jan ', '\u0301', ' de '])
      for (const cell of [part.repeat(100_000), `2024${part.repeat(100_000)}x`]) {
        expect(parseMoment(cell, { given: undefined })).toMatchObject({ reason: expect.anything() })
        expect(findDayOrder(cell)).toBeUndefined()
        expect(isDayName(cell)).toBe(false)
      }
    expect(dayOf(`${' '.repeat(100)}15 de septiembre de 2024 12:30:00.123456789 +02:00`)).toBe('2024-09-15')
  })

  test('that is ambiguous is read in the given order', () => {
    expect([dayOf('01/02/2024', 'dmy'), dayOf('01/02/2024', 'mdy')]).toEqual(['2024-02-01', '2024-01-02'])
    expect(dayOf('01.02.2024', 'mdy')).toBe('2024-01-02')
    expect(dayOf('31/01/2024', 'mdy')).toContain('there is no such day')
    expect(dayOf('2024-01-02', 'mdy')).toBe('2024-01-02')
  })

  test.each([
    ['13/02/2024', 'dmy'],
    ['31-1-2024 10:00', 'dmy'],
    ['02/13/2024', 'mdy'],
    ['1/31/2024 11:59 PM', 'mdy'],
    ['01/02/2024', 'either'],
    ['05/05/2024', undefined],
    ['32/01/2024', undefined],
    ['13/13/2024', undefined],
    ['13.02.2024', undefined],
    ['13/02/24', 'dmy'],
    ['13.02.24', undefined],
    ['2024-02-13', undefined],
    ['13 Feb 2024', undefined],
    [1706659200, undefined],
  ])('%s shows the order %s', (written, order) => expect(findDayOrder(written)).toBe(order))

  test('may have its month in any language of the importer', () => {
    for (const locale of ['en', 'de', 'fr', 'it', 'es', 'nl', 'pt'])
      for (const month of Array.from({ length: 12 }, (_, at) => at))
        for (const style of ['long', 'short'] as const) {
          const name = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' }).format(
            Date.UTC(2024, month, 1),
          )
          expect(dayOf(`15 ${name} 2024`)).toBe(
            new Date(Date.UTC(2024, month, 15)).toISOString().slice(0, 10),
          )
        }
  })

  test('is read in the order that its column shows, except with points', () => {
    const read = (cell: string, found: DayOrder) =>
      new Date(parseMoment(cell, { given: undefined, found }) as number).toISOString().slice(0, 10)
    expect(read('01/02/2024', 'dmy')).toBe('2024-02-01')
    expect(read('1-2-2024 10:00', 'mdy')).toBe('2024-01-02')
    expect(read('01.02.2024', 'mdy')).toBe('2024-02-01')
  })

  test('is the same in every notation, and any other text is rejected', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString()
        const [year, month, dayOfMonth] = iso.slice(0, 10).split('-')
        const [short] = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
          .format(date)
          .split(' ')
        const writings = [
          iso,
          iso.slice(0, 10),
          `${year}/${month}/${dayOfMonth}`,
          `${dayOfMonth}.${month}.${year}`,
          `${dayOfMonth} ${short} ${year}`,
        ]
        for (const written of writings) expect(dayOf(written)).toBe(iso.slice(0, 10))
        expect(dayOf(`${month}/${dayOfMonth}/${year}`, 'mdy')).toBe(iso.slice(0, 10))
      }),
    )
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-/. :TZjan') })),
        (text) => {
          expect(dayOf(text)).toMatch(/^\d{4}-\d{2}-\d{2}$|^reads "/)
        },
      ),
    )
  })
})

describe('names of columns', () => {
  test.each([
    'Feb. 26, Mar. 26',
    'Dec 25, Jan 26',
    'Jan 26, Dec 25, Nov 25',
    'Jun 15, Dec 15, Jan 16',
    'Mar 22, Jun 22, Sep 22, Dec 22, Mar 23',
    'Sept 26, Okt 26',
    'Jan 98, Feb 98',
  ])('such as %s are months', (names) => {
    expect(areMonthNames(['Reference', ...names.split(', ')])).toBe(true)
  })

  test.each([
    'Sept 26',
    'Jan 22, Jan 23, Jan 24',
    'Jan 15, Feb 15, Mar 15',
    'Jan 05, Jan 12, Jan 19, Jan 26, Feb 02',
    'Jan 31, Feb 28, Mar 31, Apr 30',
    'Jan 26, Feb 02',
    'Dec 28, Jan 04',
    '26-Jan, 26-Feb, 26-Mar',
  ])('such as %s may be days', (names) => {
    expect(areMonthNames(names.split(', '))).toBe(false)
    expect(names.split(', ').every(isDayName)).toBe(true)
  })
})
