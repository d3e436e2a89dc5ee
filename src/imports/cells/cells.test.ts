import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { type ColumnMapping, cellKinds } from '../mapping.ts'
import { cellWriter, jsonText } from './cells.ts'

describe('a cell', () => {
  test('of text loses the white space around it, and keeps one space between words', () => {
    expectCells({ as: 'text' }, [
      ['  Pre\u00a0Moon \n  Dial\t', '"Pre Moon Dial"'],
      ['Oyster  bracelet', '"Oyster bracelet"'],
      ['\ufeffBlue\u200b', '"Blue"'],
      ['\u202a126\u2066234\u202c', '"126234"'],
      ['Say "cheese" \\', '"Say \\"cheese\\" \\\\"'],
      ['Panthère', '"Panthère"'],
      ['2021', '"2021"'],
    ])
  })

  test('of text keeps its paragraphs if it is a description, and is one line if it is short', () => {
    const line = 'A diver of the sixties with its first bezel, its first crown and a dial of two colours'
    expectCells({ as: 'text' }, [
      ['Steel\r\n and gold', '"Steel and gold"'],
      [`${line}.\r\n\r\n \u00a0\n Worn  little.\u2028`, JSON.stringify(`${line}.\n\nWorn little.`)],
      [`  ${line}  `, JSON.stringify(line)],
    ])
  })

  test('of text loses what keeps a spreadsheet from making it a number', () => {
    expectCells({ as: 'text' }, [
      ['="0126"', '"0126"'],
      ["'0126", '"0126"'],
      ["'126334LN", '"126334LN"'],
      ["'60s", '"\'60s"'],
      ["'Paul Newman'", '"\'Paul Newman\'"'],
    ])
  })

  test('of text that was taken from a web page has its characters, not references to them', () => {
    expectCells({ as: 'text' }, [
      ['A. Lange &amp; S&ouml;hne', '"A. Lange & Söhne"'],
      ['Tom&#39;s&nbsp; watch', '"Tom\'s watch"'],
      ['&nbsp;', ''],
      ['https://x.example/?a=1&copy=2', '"https://x.example/?a=1&copy=2"'],
    ])
    expectCells({ as: 'list', separator: ';' }, [['Box &amp; papers', '["Box & papers"]']])
  })

  test('of a list is split at the first separator that it has', () => {
    expectCells({ as: 'list', separator: [';', ','] }, [
      ['Date, GMT', '["Date","GMT"]'],
      ['Date; GMT, 24 h', '["Date","GMT, 24 h"]'],
      ['Date', '["Date"]'],
    ])
  })

  test('with a placeholder for no value is empty', () => {
    for (const as of ['text', 'number', 'boolean', 'list', 'quantity', 'json'] as const) {
      const nothings = [
        ...[
          '',
          ' ',
          'nan',
          'NaN',
          'None',
          'null',
          'N/A',
          '-',
          '–',
          '−',
          '――',
          'ー',
          '\\N',
          'N/K',
          '#N/D',
          '#NV',
          '\u200b',
        ],
        null,
        undefined,
        Number.NaN,
      ]
      expectCells(
        { as },
        nothings.map((cell) => [cell, '']),
      )
    }
    expectCells({ as: 'text' }, [
      ['Nan', '"Nan"'],
      ['No', '"No"'],
    ])
  })

  test('of a number column becomes a number, and otherwise stays text', () => {
    expectCells({ as: 'number' }, [
      ['2021.0', '2021'],
      [' 42 ', '42'],
      ['-1.50', '-1.5'],
      ['1e21', '"1e21"'],
      ['-3.5e-05', '-0.000035'],
      ['3E-05', '"3E-05"'],
      ['007', '"007"'],
      ['12345678901234567890', '"12345678901234567890"'],
      ['circa 1965', '"circa 1965"'],
    ])
  })

  test('of a column of years becomes a number if it is one year', () => {
    const texts = ['2023年頃', '1965-1970', '1960s', "'98", 'c.1998'].map(
      (text) => [text, JSON.stringify(text)] as const,
    )
    expectCells({ as: 'number' }, [['2023年', '2023'], ['2023', '2023'], ...texts], 'production_year')
    expectCells({ as: 'number' }, [['2023年', '"2023年"']], 'jewels')
  })

  test('of a boolean column becomes a boolean, and otherwise stays text', () => {
    expectCells({ as: 'boolean' }, [
      ['1', 'true'],
      ['0', 'false'],
      ['1.0', 'true'],
      [0, 'false'],
      [1, 'true'],
      ['2', '"2"'],
      [2, '2'],
      ['Yes', 'true'],
      ['no', 'false'],
      ['TRUE', 'true'],
      ['false', 'false'],
      ['Ja', 'true'],
      ['Non', 'false'],
      ['maybe', '"maybe"'],
    ])
  })

  test('of a list column becomes a list, and otherwise stays text', () => {
    expectCells({ as: 'list' }, [
      [`['Day Date', ' Hour ', '']`, '["Day Date","Hour"]'],
      ['["Date"]', '["Date"]'],
      ['[]', ''],
      ['Date; GMT', '"Date; GMT"'],
    ])
    expectCells({ as: 'list', separator: ';' }, [
      ['Date ; GMT;', '["Date","GMT"]'],
      [`['Date']`, '["Date"]'],
      ['Date', '["Date"]'],
    ])
  })

  test('of functions may end in an and between two words', () => {
    const column = { column: 'c', to: 'specs.functions', as: 'list', separator: ',' } as const
    const write = cellWriter('functions', column)
    expect(
      ['Hours, minutes and date', 'Date, day and night display', 'Date and GMT', 'Hours, minutes & date'].map(
        write,
      ),
    ).toEqual([
      '["Hours","minutes","date"]',
      '["Date","day and night display"]',
      '["Date and GMT"]',
      '["Hours","minutes","date"]',
    ])
  })

  test('of a quantity has a space before its unit', () => {
    expectCells({ as: 'quantity' }, [
      ['43mm', '"43 mm"'],
      ['31.4mm', '"31.4 mm"'],
      ['43 mm', '"43 mm"'],
      ['43', '43'],
      ['42.0', '42'],
      ['43mm x 11mm', '"43mm x 11mm"'],
      ['43furlongs', '"43furlongs"'],
      ['approx. 43', '"approx. 43"'],
    ])
    expectCells(
      { as: 'quantity' },
      [
        ['10ATM', '"10 ATM"'],
        ['100m / 330ft', '"100m / 330ft"'],
      ],
      'water_resistance',
    )
  })

  test('of a quantity takes the unit of its column, unless it has one', () => {
    expectCells({ as: 'quantity', unit: 'mm' }, [
      ['42', '"42 mm"'],
      ['42,5', '"42.5 mm"'],
      ['42.0', '"42 mm"'],
      [42, '"42 mm"'],
      ['4.2cm', '"4.2 cm"'],
      ['-', ''],
    ])
    expectCells(
      { as: 'quantity', unit: 'm' },
      [
        ['100', '"100 m"'],
        ["1'000", '"1000 m"'],
        ['1.000', '"1000 m"'],
        ['10.000', '"10.000"'],
        ['10 bar', '"10 bar"'],
      ],
      'water_resistance',
    )
    expectCells({ as: 'quantity', unit: 'ct' }, [['1.234', '"1.234 ct"']], 'diamonds')
  })

  test('of JSON is read as JSON, and otherwise stays text', () => {
    expectCells({ as: 'json' }, [
      ['{"a": 1}', '{"a":1}'],
      ['[1, 2]', '[1,2]'],
      ['"1"', '"1"'],
      ['1', '1'],
      ['true', 'true'],
      ['{a', '"{a"'],
    ])
  })

  test('that is not text becomes what the column is read as, where it can', () => {
    const values = [42, -0, true, ['a', 1], { a: null }]
    const written = (as: ColumnMapping['as']) =>
      values.map(cellWriter('case_diameter', { column: 'x', to: 'specs.case_diameter', as }))
    expect(Object.fromEntries(cellKinds.map((as) => [as, written(as)]))).toEqual({
      text: ['"42"', '"0"', '"true"', '["a",1]', '{"a":null}'],
      number: ['42', '0', 'true', '["a",1]', '{"a":null}'],
      boolean: ['42', 'false', 'true', '["a",1]', '{"a":null}'],
      list: ['[42]', '[0]', '[true]', '["a",1]', '{"a":null}'],
      quantity: ['42', '0', 'true', '["a",1]', '{"a":null}'],
      money: ['42', '0', 'true', '["a",1]', '{"a":null}'],
      json: ['42', '0', 'true', '["a",1]', '{"a":null}'],
      any: ['42', '0', 'true', '["a",1]', '{"a":null}'],
    })
  })

  test('that is something else than its column is read as is told', () => {
    const cells = [
      '12',
      '1',
      'yes',
      'blue',
      '{"a":1}',
      '[1]',
      '',
      'N/A',
      12,
      1,
      true,
      ['1 mm'],
      { a: 1 },
      null,
    ]
    const oddOf = (as: ColumnMapping['as']) => {
      const odd: unknown[] = []
      const write = cellWriter('case_diameter', { column: 'x', to: 'specs.case_diameter', as }, (cell) =>
        odd.push(cell),
      )
      // Written twice, because the second time is from the cache.
      for (const cell of [...cells, ...cells]) write(cell)
      expect(odd.slice(0, odd.length / 2)).toEqual(odd.slice(odd.length / 2))
      return odd.slice(odd.length / 2)
    }
    expect(Object.fromEntries(cellKinds.map((as) => [as, oddOf(as)]))).toEqual({
      text: [['1 mm'], { a: 1 }],
      number: ['yes', 'blue', '{"a":1}', '[1]', true, ['1 mm'], { a: 1 }],
      boolean: ['12', 'blue', '{"a":1}', '[1]', 12, ['1 mm'], { a: 1 }],
      list: ['12', '1', 'yes', 'blue', '{"a":1}', { a: 1 }],
      quantity: ['yes', 'blue', '{"a":1}', '[1]', true, { a: 1 }],
      money: [],
      json: ['yes', 'blue'],
      any: [],
    })
  })

  test('of a quantity that ends in a number takes the unit of its column', () => {
    expectCells(
      { as: 'quantity', unit: 'days' },
      [
        ['up to 3', '"up to 3 days"'],
        ['3-5', '"3-5"'],
      ],
      'power_reserve',
    )
    expectCells({ as: 'quantity', unit: 'cm' }, [
      ['3.6 x 4.3', '"3.6 x 4.3 cm"'],
      ['approx. 4 (36)', '"approx. 4 (36)"'],
    ])
  })

  test('is rejected if it is nested deeper than 32', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(jsonText(nested(32))).toBe('['.repeat(32) + ']'.repeat(32))
    expect(() => jsonText(nested(33))).toThrow(RangeError)
    expect(() => jsonText(nested(50_000))).toThrow(RangeError)
  })
})

test('any cell becomes JSON or nothing, and the same result when it is written again', () => {
  const kinds = fc.constantFrom(...cellKinds)
  fc.assert(
    fc.property(kinds, fc.oneof(fc.string({ unit: anyCodePoint }), fc.jsonValue()), (as, cell) => {
      const write = cellWriter('case_diameter', { column: 'x', to: 'specs.case_diameter', as })
      const text = write(cell)
      if (text !== '') expect(JSON.stringify(JSON.parse(text))).toBe(text)
      expect(write(cell)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

function expectCells(
  column: Omit<ColumnMapping, 'column' | 'to'>,
  cells: readonly (readonly [unknown, string])[],
  key = 'case_diameter',
): void {
  const write = cellWriter(key, { column: 'x', to: `specs.${key}`, ...column })
  expect(cells.map(([cell]) => [cell, write(cell)])).toEqual(cells)
}
