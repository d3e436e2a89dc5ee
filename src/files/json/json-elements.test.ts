import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { JsonElements } from './json-elements.ts'

interface JsonElement {
  readonly line: number
  readonly text: string
}

interface Found {
  readonly further: number[]
  /** Why something is not read. */
  readonly unread: string[]
  readonly beside: string[]
  readonly currencies: string[]
}

function split(json: string, cuts: readonly number[] = []): JsonElement[] & Found {
  const bytes = Buffer.from(json)
  const found: Found = { further: [], unread: [], beside: [], currencies: [] }
  const elements = Object.assign([] as JsonElement[], found)
  const reader = new JsonElements('x.json', {
    onElement: (line, text) => void elements.push({ line, text }),
    onObject: (line, text) => {
      elements.push({ line, text })
      return text.length <= 1_048_576
    },
    onCurrency: (text) => void elements.currencies.push(text),
    onLateCurrency: (text) => void elements.currencies.push(`late ${text}`),
    onBeside: (line, reason) => void elements.beside.push(`${line}: ${reason}`),
    onUnread: (line, reason) => {
      elements.further.push(line)
      elements.unread.push(reason)
    },
  })
  let from = 0
  for (const to of [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]) {
    reader.read(bytes.subarray(from, to), false)
    from = to
  }
  reader.read(Buffer.alloc(0), true)
  return elements
}

const values = (elements: readonly JsonElement[]) => elements.map(({ text }) => JSON.parse(text))
const json = fc.jsonValue({ stringUnit: anyCodePoint, maxDepth: 4 })
const indent = fc.constantFrom(undefined, 1, '\t')
const cuts = fc.array(fc.nat(400), { maxLength: 8 })

describe('the elements of a list', () => {
  test('are those that JSON.parse finds, wherever the file is cut', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 8 }), indent, cuts, (list, space, at) => {
        const text = JSON.stringify(list, undefined, space)
        expect(values(split(text, at))).toEqual(JSON.parse(text))
      }),
      { numRuns: 400 },
    )
  })

  test('are found byte by byte', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), indent, (list, space) => {
        const text = JSON.stringify(list, undefined, space)
        expect(values(split(text, [...Buffer.from(text).keys()]))).toEqual(JSON.parse(text))
      }),
      { numRuns: 60 },
    )
  })

  test('are found in an object that holds the list', () => {
    const other = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer())))
    const objects = fc.array(fc.dictionary(fc.string(), json), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(other, objects, other, indent, cuts, (before, list, after, space, at) => {
        const text = JSON.stringify({ before, meta: { rows: list }, after }, undefined, space)
        expect(values(split(text, at))).toEqual(JSON.parse(text).meta.rows)
      }),
      { numRuns: 200 },
    )
  })

  test('are found in objects one after the other, as the objects themselves', () => {
    expect(values(split('{"a": 1}\n{"a": [1, 2]}\n\n{"a": {}}'))).toEqual([
      { a: 1 },
      { a: [1, 2] },
      { a: {} },
    ])
    expect(values(split('{"data":[{"a":1}]}{"data":[{"a":2}]}'))).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('have the lines where they begin', () => {
    const text = '[\n {"a": 1},\n\n {"a":\n 2}, \n3\n]'
    expect(split(text).map(({ line }) => line)).toEqual([2, 4, 6])
  })

  test('are numbered where they stand on one line', () => {
    expect(split('[{"a":1},{"a":2},{"a":3}]').map(({ line }) => line)).toEqual([1, 2, 3])
  })

  test('may be missing, and are then reported as empty', () => {
    expect(split('[1,,2]').map(({ text }) => text)).toEqual(['1', '', '2'])
    expect(split('[1,]').map(({ text }) => text)).toEqual(['1', ''])
    expect(split('[ ]')).toHaveLength(0)
  })

  test('of a second list in the same object are reported as not read', () => {
    const elements = split('{"data":[{"a":1}],\n"more":[{"b":1}]}')
    expect(values(elements)).toEqual([{ a: 1 }])
    expect(elements.further).toEqual([2])
    expect(elements.unread).toEqual([
      '"data" is read as the list of records; "more" is a second list and is not read: put it in a file of its own',
    ])
  })

  test.each([
    '{"filters":[{"x":1}],"stores":[{"x":1}],"products":[{"a":1},{"a":2}]}',
    '{"products":[{"a":1},{"a":2}],"facets":{"brand":[{"x":1}]},"sort_options":[{"x":1}]}',
    '{"breadcrumbs":[{"x":1}],"data":{"items":[{"a":1},{"a":2}]}}',
    '{"schema":{"fields":[{"name":"a"}],"pandas_version":"1.4"},"data":[{"a":1},{"a":2}]}',
    '{"count":2,"updated":"2024-03-01","products":[{"a":1},{"a":2}],"title":"x"}',
    '{"title":"x","description":"y","products":[{"a":1},{"a":2}]}',
    '{"@type":"ItemList","numberOfItems":2,"name":"x","itemListElement":[{"a":1},{"a":2}]}',
    // Without another list, any name counts.
    '{"categories":[{"a":1},{"a":2}]}',
    '{"errors":[],"schema":{"fields":[{"a":1},{"a":2}]}}',
  ])('are those of the records, and what describes them is not told: %s', (text) => {
    for (const cuts of [[], [10], [...Buffer.from(text).keys()]]) {
      const elements = split(text, cuts)
      expect(values(elements)).toEqual([{ a: 1 }, { a: 2 }])
      expect(elements.unread).toEqual([])
    }
  })

  test.each([
    '{"object":"list","url":"/v1/w","has_more":false,"data":[{"brand":"A"},{"brand":"B"}]}',
    '{"version":"1","home":"x","feed":"y","items":[{"Ref. No.":"A"},{"Ref. No.":"B"}],"z":1}',
    '{"a":"1","b":"2","c":"3","d":"4","pool":[{"brand":"A","mpn":"1"},{"brand":"A","mpn":"2"}]}',
    '{"a":"1","b":{"c":"3","images":[{"x":1}],"docs":[{"brand":"A"},{"brand":"B"}]},"filters":{"brand":"A"}}',
    '{"object":"list","a":"1","data":[{"brand":"A"},{"brand":"B"}],"facets":[{"brand":"A","reference":"B"}]}',
  ])('are those of the only list of watches, whatever stands beside it: %s', (text) => {
    for (const cuts of [[], [10], [...Buffer.from(text).keys()]]) {
      expect(values(split(text, cuts))).toHaveLength(2)
      expect(split(text, cuts).beside).toHaveLength(1)
    }
  })

  test.each([
    ['{"brands":{"rolex":[{"a":1}],"omega":[{"a":2}]}}', '"brands.omega" is a second list'],
    ['{"categories":[{"a":1}],"tags":[{"x":1}]}', '"tags" is a second list'],
    ['{"products":[{"a":1}],"brands":{"watches":[{"a":2}]}}', '"brands.watches" is a second list'],
  ])('of a list that may have records, too, are told: %s', (text, reason) => {
    const elements = split(text)
    expect(values(elements)).toEqual([{ a: 1 }])
    expect(elements.unread).toEqual([expect.stringContaining(reason)])
  })

  test.each([
    '{"brand":"Rolex","reference":"A","categories":[{"x":1}]}',
    '{"id":1,"categories":[{"x":1}],"brand":"Rolex","reference":"A"}',
    '{"categories":[{"x":1}],"brand":"Rolex","reference":"A","images":[{"x":1}]}',
    '{"title":"Submariner","description":"x","price":5,"images":[{"x":1}]}',
    '{"id":"1","name":"x","variants":[{"sku":"A","reference":"B"}]}',
    '{"a":"1","b":"2","watch":{"brand":"Rolex"},"similar":[{"brand":"Tudor","reference":"B"}]}',
    '{"a":"1","b":"2","data":[{"brand":"A"}],"items":[{"brand":"B"}]}',
    '{"title":"x","producer":"Omega","a":"1","b":"2","items":[{"brand":"A"}]}',
    '{"title":"x","Hersteller":"Omega","a":"1","items":[{"brand":"A"}]}',
    '{"title":"x","a":"1","b":"2","related":[{"brand":"A","reference":"B"}]}',
  ])('are not those of a list inside a record: %s', (text) => {
    expect(values(split(text))).toEqual([JSON.parse(text)])
  })

  test('have the lines of the file, also if their list was passed over at first', () => {
    expect(split('\n{"filters":[\n{"a":1},\n{"a":2}]}').map(({ line }) => line)).toEqual([3, 4])
  })

  test('have the currency that the file says before them', () => {
    expect(split('{"currency":"EUR","data":[{"a":1}]}').currencies).toEqual(['currency: EUR'])
    expect(split('{"data":[{"a":1}],"currency":"EUR"}').currencies).toEqual(['late currency: EUR'])
  })

  test('of many lists are found in time that grows with the length of the file', () => {
    const lists = '"filters":[{"x":1}],'.repeat(50_000)
    expect(split(`{${lists}"products":[{"a":1}]}`)).toHaveLength(1)
  })
})

describe('a file is rejected', () => {
  test.each([
    ['when it is cut short', '[{"a":1},\n{"a":', 2, 'the file ends before its brackets are closed'],
    [
      'when it is cut short in a text',
      '[{"a":1},\n{"a":"x',
      2,
      'the file ends before its brackets are closed',
    ],
    ['when brackets do not match', '[{"a":1},\n{"a":[1}]', 2, 'a bracket is closed that is not open'],
    ['when something else follows', '[1]\nabc', 2, 'this is not JSON'],
    ['when it is nested without end', '['.repeat(2_000), 1, 'brackets are nested more than 1000 deep'],
    [
      'when a record has more than 1 MiB',
      `[1,\n{"a":"${'x'.repeat(1_100_000)}"}]`,
      2,
      'the record has more than 1 MiB',
    ],
  ])('%s', (_, text, line, what) => {
    const sentence = `x.json:${line}: ${what}: check that it is a whole list of JSON objects.`
    expect(() => split(text)).toThrow(sentence)
    expect(() => split(text, [5, 700_000])).toThrow(sentence)
  })

  test('when a large object holds no list', () => {
    const text = `{"a":"${'x'.repeat(3_000_000)}"}`
    expect(() => split(text, [1_000_000, 2_000_000])).toThrow('there is no list of objects')
  })
})

test('a list is found after a large value beside it', () => {
  const text = `{"about":"${'x'.repeat(3_000_000)}","data":[{"a":1}]}`
  expect(values(split(text, [1_000_000, 2_000_000]))).toEqual([{ a: 1 }])
})
