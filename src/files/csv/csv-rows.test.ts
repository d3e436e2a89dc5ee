import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvDialect, CsvRows } from './csv-rows.ts'

const delimiters = [',', ';', '\t', '|', '^', '¦', '😀']
const cell = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '😀', '#'),
    maxLength: 8,
  }),
)
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  )
const writing = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  quotesAll: fc.boolean(),
  endsWithNewline: fc.boolean(),
})

interface Row {
  readonly cells: string[]
  readonly line: number
}

/** Feeds the bytes in pieces that are cut at the given offsets, as a reader does. */
function readRows(bytes: Buffer, dialect: CsvDialect, cuts: readonly number[] = []): Row[] {
  const rows: Row[] = []
  const reader = new CsvRows('x.csv', dialect, (cells, line) => void rows.push({ cells, line }))
  let rest: Buffer = Buffer.alloc(0)
  let from = 0
  for (const to of [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]) {
    const block = Buffer.concat([rest, bytes.subarray(from, to)])
    rest = block.subarray(reader.read(block, to === bytes.length && from !== to))
    from = to
  }
  if (rest.length > 0) reader.read(rest, true)
  return rows
}

function dialectOf(delimiter: string, newline: string): CsvDialect {
  return { delimiter, newline: newline === '\r' ? '\r' : '\n', spaced: false }
}

function writeCsv(
  rows: readonly string[][],
  options: { delimiter: string; newline: string; quotesAll: boolean; endsWithNewline: boolean },
): string {
  const { delimiter, newline, quotesAll, endsWithNewline } = options
  const mustQuote = (text: string) =>
    quotesAll || /["\r\n]/.test(text) || text.includes(delimiter) || text === ''
  const write = (text: string) => (mustQuote(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = rows.map((cells) => cells.map(write).join(delimiter))
  return lines.join(newline) + (endsWithNewline ? newline : '')
}

describe('rows of CSV', () => {
  test('are what was written, with any delimiter, newline and quoting, wherever the file is cut', () => {
    fc.assert(
      fc.property(table, writing, fc.array(fc.nat(200), { maxLength: 6 }), (rows, how, cuts) => {
        const bytes = Buffer.from(writeCsv(rows, how))
        const read = readRows(bytes, dialectOf(how.delimiter, how.newline), cuts)
        expect(read.map(({ cells }) => cells)).toEqual(rows)
      }),
      { numRuns: 300 },
    )
  })

  test('are what was written when they come byte by byte', () => {
    fc.assert(
      fc.property(table, writing, (rows, how) => {
        const bytes = Buffer.from(writeCsv(rows, how))
        const read = readRows(bytes, dialectOf(how.delimiter, how.newline), [...bytes.keys()])
        expect(read.map(({ cells }) => cells)).toEqual(rows)
      }),
      { numRuns: 60 },
    )
  })

  test('have the line where they begin, lines within cells counted', () => {
    fc.assert(
      fc.property(table, writing, (rows, how) => {
        const read = readRows(Buffer.from(writeCsv(rows, how)), dialectOf(how.delimiter, how.newline))
        const newline = how.newline === '\r' ? '\r' : '\n'
        let line = 1
        for (const [at, cells] of rows.entries()) {
          expect(read[at]?.line).toBe(line)
          line += 1 + cells.join('').split(newline).length - 1
        }
      }),
      { numRuns: 100 },
    )
  })

  test('are those of csv-parse for any text, however its quotes are misplaced', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', ',', '"', '"', '\n', '\r\n', ' ', '\r'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 4 }), (csv, cuts) => {
        const read = () => readRows(Buffer.from(csv), dialectOf(',', '\n'), cuts).map(({ cells }) => cells)
        const expected = parseByLibrary(csv)
        if (expected === undefined) expect(read).toThrow(/is never closed/)
        else expect(read()).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    ['a,b\n1,"x\n2,y\n', 2],
    ['a,b\n"1\n2",3\n4,"x\n5,6\n', 4],
    ['a,b\n"1\n2","3\n4\n', 3],
    ['"a,b\n', 1],
    ['a,b\r\n1,"x ""y"" z\r\n2,y', 2],
  ])('a quote that is never closed is reported with its line: %j', (csv, line) => {
    expect(() => readRows(Buffer.from(csv), dialectOf(',', '\n'))).toThrow(
      `x.csv:${line}: the quote that opens here is never closed, or too late: close it, or double it.`,
    )
  })

  test('a line of more than 1 MiB is rejected, a line of exactly 1 MiB is read', () => {
    const long = 'x'.repeat(1024 * 1024)
    expect(readRows(Buffer.from(`a\n${long}\n`), dialectOf(',', '\n'))).toHaveLength(2)
    const longer = Buffer.from(`a\n${long}y\nb\n`)
    const refusal = 'x.csv:2: the line has more than 1 MiB: check whether this is a table.'
    expect(() => readRows(longer, dialectOf(',', '\n'))).toThrow(refusal)
    expect(() => readRows(longer.subarray(0, -3), dialectOf(',', '\n'), [100])).toThrow(refusal)
  })

  test('a quote that is open for more than 1 MiB is reported with the line where it opens', () => {
    const csv = Buffer.from(`a,b\n1,2\n3,"x\n${'4,5\n'.repeat(300_000)}`)
    expect(() => readRows(csv, dialectOf(',', '\n'), [900_000])).toThrow('x.csv:3: the quote that opens here')
  })
})

/** Undefined if a quote is left open. */
function parseByLibrary(csv: string): string[][] | undefined {
  try {
    return parse(csv, {
      record_delimiter: ['\r\n', '\n'],
      relax_quotes: true,
      relax_column_count: true,
    })
  } catch {
    return undefined
  }
}
