import { describe, expect, test } from 'vitest'
import { numberFormat } from './number-format.ts'

function written(value: number, format: string | number, is1904 = false): string | number {
  const id = typeof format === 'number' ? format : 164
  return numberFormat(id, typeof format === 'string' ? format : undefined)(value, is1904)
}

describe('a number is written with what its format adds', () => {
  test.each([
    // The number itself: shortest, not grouped, not cut.
    [126610, 'General', '126610'],
    [126610, '0.00', '126610'],
    [1234.5, '#,##0', '1234.5'],
    [0.1 + 0.2, 0, '0.3'],
    [-5, '#,##0.00_);[Red](#,##0.00)', '-5'],
    [5, ';;;', '5'],
    [5, '@', '5'],
    [123456789012, '0.00E+00', '123456789012'],
    [0.5, '# ?/?', '0.5'],
    // As a text, this could be more than a thousand.
    [1.234, '0.00', 1.234],
    [1950.125, 0, 1950.125],
    // Currencies: as they are written, unless only the language tells which one it is.
    [1234.5, '"€"#,##0.00', '€1234.5'],
    [1234.567, '[$€-407] #,##0.00', '€ 1234.57'],
    [1234, '#,##0.00\\ "€"', '1234 €'],
    [0.5, '"€".00', '€0.5'],
    [1234, '[$EUR] #,##0', 'EUR 1234'],
    [1234, '#,##0.00 [$CHF-807]', '1234 CHF'],
    [1234, '$#,##0', '$1234'],
    [1234, '[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00', 'USD1234'],
    [1234, '[$$-C09]#,##0', 'AUD1234'],
    [1234, '[$$-en-CA]#,##0', 'CAD1234'],
    [1234, '[$¥-804]#,##0', 'CNY1234'],
    [1234, '#,##0 [$kr-41D]', '1234 SEK'],
    [1234, '#,##0 "kr"', '1234 kr'],
    [1234, '[$$-340B]0', '$-340B 1234'],
    [1234, 44, '$1234'],
    [-5, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', '-$5'],
    [0, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', '$0'],
    [1234, 'CHF 0', 'CHF 1234'],
    // Units, percentages, thousands.
    [42, '0 "mm"', '42 mm'],
    [41.5, 'General" mm"', '41.5 mm'],
    [0.155, '0.0%', '15.5%'],
    [0.07, 9, '7%'],
    [12500, '0.0,"K"', '12500'],
    [12500, '[$€-2]0.0,"k"', '€12500'],
    [12500, '0.0," km"', '12.5 km'],
    [1500, '[>=1000]0.0,"k";0 "m"', '1500'],
    [500, '[>=1000]0.0,"k";0 "m"', '500 m'],
    // Codes.
    [123, '00000', '00123'],
    [1234, '000-00', '012-34'],
    [5551234567, '(000) 000-0000', '(555) 123-4567'],
    // Words for numbers.
    [1, '"yes";;"no"', 'yes'],
    [0, '"yes";;"no"', 'no'],
  ] as const)('%d as %s is %s', (value, format, text) => {
    expect(written(value, format)).toBe(text)
  })
})

describe('a date is written in ISO form', () => {
  test.each([
    [45352, 14, '2024-03-01'],
    [45352, 'dd.mm.yyyy', '2024-03-01'],
    [45352, '[$-409]mmmm d, yyyy;@', '2024-03-01'],
    [45352, 'mmm-yy', '2024-03-01'],
    [45352, 31, '2024-03-01'],
    [45352, 'yyyy', '2024'],
    [45352.5, 'm/d/yyyy', '2024-03-01'],
    [45352.5, 22, '2024-03-01T12:00:00'],
    [45352, 'yyyy-mm-dd hh:mm:ss', '2024-03-01'],
    [45352.999_999_999_99, 'd/m/yy h:mm', '2024-03-02'],
    [0.5, 18, '12:00:00'],
    [0.75 + 45352, 'h:mm AM/PM', '18:00:00'],
    [1 / 1440, 'mm:ss.0', '00:01:00'],
    [1.25, 46, '30:00:00'],
    [-0.5, '[hh]:mm', '-12:00:00'],
    [1, 14, '1900-01-01'],
    [59, 14, '1900-02-28'],
    // The day that Excel counts, and that never was.
    [60, 14, '1900-02-29'],
    [61, 14, '1900-03-01'],
    [2958465, 14, '9999-12-31'],
    // No dates.
    [2958466, 14, '2958466'],
    [-1, 14, '-1'],
  ] as const)('%d as %s is %s', (value, format, text) => {
    expect(written(value, format)).toBe(text)
  })

  test('that is counted from 1904 if the workbook says so', () => {
    expect(written(0, 14, true)).toBe('1904-01-01')
    expect(written(45352 - 1462, 14, true)).toBe('2024-03-01')
  })
})
