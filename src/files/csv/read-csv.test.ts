import { describe, expect, test } from 'vitest'
import { RecordCollector } from '../record-collector.ts'
import type { ReadOptions } from '../records.ts'
import { CsvReader } from './read-csv.ts'

interface Read {
  readonly columns: readonly string[]
  readonly rows: unknown[][]
  readonly lines: number[]
  readonly bad: { line: number; reason: string; value: string }[]
}

function read(csv: string, options: ReadOptions = {}, knows?: (name: string) => boolean): Read {
  const collector = new RecordCollector('x.csv', () => 0)
  const reader = new CsvReader('x.csv', options, collector, knows)
  reader.read(Buffer.from(csv), false)
  reader.read(Buffer.alloc(0), true)
  const batches = collector.takeRest()
  const records = batches.flatMap((batch) => batch.records)
  return {
    columns: batches.at(-1)?.columns ?? [],
    rows: records.map(({ cells }) => [...cells]),
    lines: records.map(({ line }) => line),
    bad: batches.flatMap((batch) => batch.bad),
  }
}

describe('the delimiter is found', () => {
  test.each([
    ['commas', 'ref,brand,price\n1,Rolex,9100\n2,Omega,5200\n'],
    ['semicolons, with decimal commas', 'ref;brand;price\n1;Rolex;9.100,50\n2;Omega;5.200,00\n'],
    ['tabs, with commas in texts', 'ref\tbrand\tprice\n1\tRolex, used\t9100\n2\tOmega, new\t5200\n'],
    ['pipes', 'ref|brand|price\n1|Rolex|9100\n2|Omega|5200\n'],
    ['carets', 'ref^brand^price\n1^Rolex^9100\n2^Omega^5200\n'],
    ['broken bars', 'ref¦brand¦price\n1¦Rolex¦9100\n2¦Omega¦5200\n'],
    ['carriage returns alone', 'ref,brand,price\r1,Rolex,9100\r2,Omega,5200\r'],
    ['carriage returns, with line feeds in cells', 'ref,brand,price\r1,"Ro\nlex",9100\r2,Omega,5200\r'],
    ['mixed line ends', 'ref,brand,price\r\n1,Rolex,9100\n2,Omega,5200\r\n'],
    ['a line that tells it', 'sep=;\nref;brand;price\n1;Rolex;9100\n2;Omega;5200\n'],
    ['quotes around everything', '"ref";"brand";"price"\n"1";"Rolex";"9100"\n"2";"Omega";"5200"\n'],
  ])('%s', (_, csv) => {
    const { columns, rows } = read(csv)
    expect(columns).toEqual(['ref', 'brand', 'price'])
    expect(rows.map((cells) => cells[0])).toEqual(['1', '2'])
    expect(rows[1]?.[2]).toMatch(/^5[.]?200/)
  })

  test('despite lists in cells that all have the same length', () => {
    const rows = Array.from({ length: 20 }, (_, at) => `${at},Rolex,a;b;c;d;e;f`).join('\n')
    expect(read(`ref,brand,features\n${rows}\n`).columns).toEqual(['ref', 'brand', 'features'])
  })

  test('with few columns, despite longer lists in cells', () => {
    const rows = Array.from({ length: 20 }, (_, at) => `${at},a;b;c;d;e;f;g`).join('\n')
    expect(read(`ref,features\n${rows}\n`).columns).toEqual(['ref', 'features'])
  })

  test('and a table of one column needs none', () => {
    const { columns, rows } = read('reference\n126610LN\n5711/1A, blue\n116500LN\n')
    expect(columns).toEqual(['reference'])
    expect(rows).toEqual([['126610LN'], ['5711/1A, blue'], ['116500LN']])
  })

  test('unless one is given, and tab may be given by name', () => {
    expect(read('a,b;c\n1,2;3\n', { delimiter: ';' }).columns).toEqual(['a,b', 'c'])
    for (const delimiter of ['tab', '\\t', '\t'])
      expect(read('a,b\tc\n1,2\t3\n', { delimiter }).columns).toEqual(['a,b', 'c'])
  })

  test.each(['', '::', '"', '\n'])('%j is rejected', (delimiter) => {
    expect(() => read('a,b\n', { delimiter })).toThrow('cannot be a delimiter: give one character, or tab.')
  })

  test('and spaces before a quote are not part of the cell', () => {
    const { rows } = read('ref, name\n1, "Rolex, used"\n2, Omega\n')
    expect(rows).toEqual([
      ['1', 'Rolex, used'],
      ['2', 'Omega'],
    ])
  })
})

describe('the header is found', () => {
  const table = 'ref,brand,price\n1,Rolex,9100\n2,Omega,5200\n'

  test.each([
    ['a title', `Catalogue of watches\n${table}`],
    ['a title and an empty line', `Catalogue of watches\n\n${table}`],
    ['a title of as many cells', `Catalogue,,\n,,\n${table}`],
    ['an export date', `Exported,2026-01-02\n\n${table}`],
    ['a remark of as many cells, set apart', `Exported,by,Anna\n\n${table}`],
    ['comments', `# exported 2026-01-02, by Anna\n# do not edit\n${table}`],
    ['a comment of more cells', `# by Anna, on Monday, for Bob, and others\n${table}`],
    ['empty lines', `\n\n${table}`],
    ['what has numbers and as many cells', `Export,2026-01-02,3\n${table}`],
    ['names and values, filled up with gaps', `Exported,2026-01-02,\nBy,Anna,\n,,\n${table}`],
    ['names and values, set apart', `Exported,2026-01-02\nBy,Anna\n\n${table}`],
  ])('under %s', (_, csv) => {
    const { columns, rows, lines, bad } = read(csv)
    expect(columns).toEqual(['ref', 'brand', 'price'])
    expect(rows).toEqual([
      ['1', 'Rolex', '9100'],
      ['2', 'Omega', '5200'],
    ])
    expect(lines[0]).toBe(csv.slice(0, csv.indexOf('1,Rolex')).split('\n').length)
    expect(bad).toEqual([])
  })

  test.each([
    [
      'Watch,,Case,,Strap,\nref,brand,Material,Shape,Length,Material',
      'ref,brand,Case Material,Shape,Length,Strap Material',
    ],
    ['Watch,,Prices (CHF),,Note\nref,brand,Ask,Retail,Text', 'ref,brand,Ask (CHF),Retail (CHF),Text'],
    ['Watch,,Case,\nref,brand,Type,Shape', 'ref,brand,Case Type,Shape'],
    // The groups make no difference, or the row is something else.
    ['Watch,,Case,\nref,brand,Shape,Length', 'ref,brand,Shape,Length'],
    ['My watches,,,\nref,brand,Type,Type', 'ref,brand,Type,Type_2'],
    ['Exported,by,Anna,\n\nref,brand,Type,Type', 'ref,brand,Type,Type_2'],
  ])('below the names of groups, which count where they are needed: %s', (above, names) => {
    const known = ['Case Type', 'Ask (CHF)', 'Retail (CHF)', 'ref', 'brand', 'Shape']
    const row = names.replace(/[^,]+/g, '5')
    const { columns, rows } = read(`${above}\n${row}\n${row}\n`, {}, (name) => known.includes(name))
    expect([columns, rows.length]).toEqual([names.split(','), 2])
  })

  test('in a file that has nothing else', () => {
    const collector = new RecordCollector('x.csv', () => 0)
    const reader = new CsvReader('x.csv', {}, collector)
    reader.read(Buffer.from('ref,brand,price\n'), true)
    expect(collector.takeRest()).toEqual([])
  })

  test('below a line that explains each name', () => {
    const explained = '# Required | A unique id,# Required | The price,# Optional | The brand\n'
    const { columns, rows } = read(`${explained}id,price,brand\n1,12800.00 USD,Rolex\n2,900 USD,Omega\n`)
    expect([columns, rows.length]).toEqual([['id', 'price', 'brand'], 2])
  })

  test('of years', () => {
    expect(read('reference,2024,2025\nA1,100,110\n').columns).toEqual(['reference', '2024', '2025'])
  })

  test('of a table in which every line is followed by an empty one', () => {
    expect(read('ref,brand\n\n1,Rolex\n\n2,Omega\n\n').rows).toHaveLength(2)
  })

  test('of a table whose rows mostly lack their last cells', () => {
    const rows = Array.from({ length: 30 }, (_, at) =>
      at % 3 === 0 ? 'x,Rolex,steel,9100' : 'y,Omega,gold',
    ).join('\n')
    const { columns, bad } = read(`ref,brand,case,price\n${rows}\n`)
    expect(columns).toEqual(['ref', 'brand', 'case', 'price'])
    expect(bad).toHaveLength(20)
  })

  test.each([
    ['whose rows are all too wide', "Brand,Reference,Note\nRolex,A9,'a,b'\n", 0, 1],
    ['whose rows are all equally wide', "Brand,Reference,Note\nRolex,A9,'a,b'\nOmega,B1,'c,d'\n", 0, 2],
    ['whose rows all lack a cell', 'Brand,Reference,Note\nRolex,A9\nOmega,B1\n', 0, 2],
    ['above an empty line', 'Brand,Reference,Note\n\nRolex,A1,x\nOmega,B2,y\nOmega,B3,z\n', 3, 0],
    ['above an empty line and words', 'Brand,Reference,Note\n\nRolex,Sub,x\nRolex,B2,y\nOmega,B3,z\n', 3, 0],
    ['above a row that sums up', 'Brand,Reference,Note\nRolex,A1,x\nTotal,12345\n', 1, 1],
    ['above a sum alone', 'Brand,Reference,Note\nTotal,12345\n', 0, 1],
    ['above a sum and gaps', 'Brand,Reference,Note\nRolex,A1,x\nTotal,,12345\n', 2, 0],
  ])('at the top, %s', (_, csv, rows, bad) => {
    const found = read(csv)
    expect(found.columns).toEqual(['Brand', 'Reference', 'Note'])
    expect([found.rows.length, found.bad.length]).toEqual([rows, bad])
  })

  test('of many years, above cells with letters', () => {
    const { columns, rows } = read(
      'Brand,Ref,2019,2020,2021,2022\nRolex,A1,USD 1,USD 2,USD 3,USD 4\nOmega,B1,USD 1,USD 2,USD 3,USD 4\n',
    )
    expect(columns).toEqual(['Brand', 'Ref', '2019', '2020', '2021', '2022'])
    expect(rows).toHaveLength(2)
  })

  test('that is longer than the sample', () => {
    const names = Array.from({ length: 4_000 }, (_, at) => `a_rather_long_name_of_a_column_${at}`)
    expect(read(`${names.join(',')}\n${names.map(() => '1').join(',')}\n`).columns).toEqual(names)
  })

  test.each(['\n\n\n', ' \n\t\n', '\n'.repeat(100_000)])('but not in a file of blank lines', (csv) => {
    expect(() => read(csv)).toThrow('x.csv has no line that names columns: begin it with a header.')
  })
})

describe('columns', () => {
  test('of the same name get distinct names, and those without a name are numbered', () => {
    expect(read('a,a,,b,a,\n1,2,3,4,5,6\n').columns).toEqual(['a', 'a_2', 'column_3', 'b', 'a_3', 'column_6'])
  })

  test('are named without the white space around and within', () => {
    expect(read(' ref ,"Price\n(USD)"\n1,2\n').columns).toEqual(['ref', 'Price (USD)'])
  })

  test('may be called __proto__ and constructor', () => {
    const { columns, rows } = read('__proto__,constructor,toString\n1,2,3\n')
    expect(columns).toEqual(['__proto__', 'constructor', 'toString'])
    expect(rows).toEqual([['1', '2', '3']])
  })

  test('may be 4,096 and no more', () => {
    const header = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',')
    expect(read(`${header(4_096)}\n${'1,'.repeat(4_095)}1\n`).columns).toHaveLength(4_096)
    expect(() => read(`${header(10_000)}\n`)).toThrow(
      'x.csv:1: there are more than 4096 columns: leave out some.',
    )
  })
})

describe('a row', () => {
  test('of too few or too many cells is bad, with its line and reason', () => {
    const { rows, bad } = read('a,b,c\n1,2,3\n1,2\n1,2,3,4\n4,5,6\n7,8,9\n')
    expect(rows).toHaveLength(3)
    expect(bad).toEqual([
      { line: 3, reason: 'it has 2 cells, and the header has 3', value: '1 | 2' },
      { line: 4, reason: 'it has 4 cells, and the header has 3', value: '1 | 2 | 3 | 4' },
    ])
  })

  test('may have extra empty cells, and lack those of unnamed columns at the end', () => {
    expect(read('a,b\n1,2,,\n3,4,\n').rows).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(read('a,b,,\n1,2,,\n3,4\n5,6,7,8\n').rows).toEqual([
      ['1', '2', '', ''],
      ['3', '4', '', ''],
      ['5', '6', '7', '8'],
    ])
  })

  test('that is blank or a remark is skipped', () => {
    const { rows, bad } = read('a,b\n1,2\n,\n\n  ,  \n# the end\n3,4\n')
    expect(rows).toHaveLength(2)
    expect(bad).toEqual([])
  })

  test('that begins with a number sign and has too few or too many cells is bad', () => {
    const { rows, bad } = read(
      'SKU,Brand,Reference,Price\n#1,Rolex,1,5\n#2,Rolex,2,5,6,7\n#3,Rolex\n# end,\n',
    )
    expect(rows).toHaveLength(1)
    expect(bad.map(({ line }) => line)).toEqual([3, 4])
  })

  test.each([
    ['1\t\\N\t\\N\n', 'a\\nb\\tc\\\\n\\x', 'a\nb\tc\\n\\x'],
    // Quotes are those of a spreadsheet, and without a null the file may be anything.
    ['1\t"\\N"\t\\N\n', 'a\\nb', 'a\\nb'],
    ['1\tN\t\n', 'a\\nb', 'a\\nb'],
  ])('of a dump has its line breaks and tabs: %j', (first, written, text) => {
    expect(read(`ref\ttext\tprice\n${first}2\t${written}\t5\n`).rows[1]).toEqual(['2', text, '5'])
  })

  test('may begin with a number sign', () => {
    expect(read('a,b\n#1,2\n3,4\n').rows).toEqual([
      ['#1', '2'],
      ['3', '4'],
    ])
  })

  test('that is bad is reported in a few hundred characters', () => {
    const { bad } = read(`a,b\n1,2\n${'x'.repeat(5_000)}\n3,4\n5,6\n`)
    expect(bad[0]?.value).toHaveLength(301)
  })
})

test('lines that a stray quotation mark joins are rejected together, and those of a cell are not', () => {
  const { rows, lines, bad } = read(
    'ref,size,note\n1,a,"case 1.65""\n2,b,"x"\n3,c,"two\nlines"\n4,d,"said ""so"" "\n5,e,5\'9"\n',
  )
  expect(rows.map(([ref]) => ref)).toEqual(['3', '4', '5'])
  expect(lines).toEqual([4, 6, 7])
  expect(bad).toEqual([
    {
      line: 2,
      reason: 'A quotation mark joins the lines 2 to 3: double it, or remove it.',
      value: '1,a,"case 1.65"" 2,b,"x"',
    },
  ])
})
