import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { JsonElements } from './json-elements.ts'

interface JsonElement {
  readonly line: number
  readonly text: string
}

function split(json: string, cuts: readonly number[] = []): JsonElement[] & { further: number[] } {
  const bytes = Buffer.from(json)
  const elements = Object.assign([] as JsonElement[], { further: [] as number[] })
  const reader = new JsonElements('x.json', {
    onElement: (line, text) => void elements.push({ line, text }),
    onObject: (line, text) => {
      elements.push({ line, text })
      return text.length <= 1_048_576
    },
    onUnread: (line) => void elements.further.push(line),
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
