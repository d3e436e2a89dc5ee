import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { parseConfig } from '../../config.ts'
import { type FieldErrors, Problem, problemBody } from '../../errors.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { operatorWords, pathOf } from './one-level.ts'
import { operators, parameterNames } from './operators.ts'
import { parseListQuery, parseWatchQuery } from './parse-query.ts'
import { findGarbled } from './value-texts.ts'

const vocabulary = await readVocabulary(parseConfig({}))
const parse = (written: string) => parseWatchQuery(written, vocabulary)
const filtersOf = (written: string) => parse(written).filters

function errorsOf(read: () => unknown): FieldErrors | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return error.details.errors
  }
}

const retail = 'retail_price_usd'
const noLetter = { q: ['The q must contain a letter or a digit.'] }
const sortOf = (...sorts: string[]) => ({
  sort: [
    `The selected sort is invalid: it may be ${sorts.slice(0, -1).join(', ')} or ${sorts.at(-1)}, with a - before it to sort in descending order.`,
  ],
})

describe('a good query', () => {
  test('that is empty selects all watches, sorted by id, 25 per page', () => {
    expect(parse('')).toEqual({
      filters: [],
      ids: undefined,
      after: undefined,
      words: [],
      sort: { by: 'id', descending: false },
      paging: { page: 1, perPage: 25 },
      fields: undefined,
      facets: [],
      explain: false,
      strict: false,
    })
  })

  test('has its filters in the order given, the values of `any` together', () => {
    const written =
      'spec[a][]=1&brand=A.+Lange&spec[a][]=2&spec[b][not]=x&retail_price_usd[lt]=99.5&spec[a]=1'
    expect(filtersOf(written)).toEqual([
      { subject: 'spec', key: 'a', operator: 'any', values: ['1', '2'] },
      { subject: 'brand', key: 'brand', operator: 'is', values: ['A. Lange'] },
      { subject: 'spec', key: 'b', operator: 'not', values: ['x'] },
      { subject: 'retail_price_usd', key: 'retail_price_usd', operator: 'lt', values: ['99.5'] },
      { subject: 'spec', key: 'a', operator: 'is', values: ['1'] },
    ])
  })

  test('distinguishes a spec from a field of the same name', () => {
    expect(filtersOf('spec[brand]=x&brand=x').map(({ subject }) => subject)).toEqual(['spec', 'brand'])
  })

  test('may have 20 filters, keys of 128 and values of 512 characters, of which an emoji is one', () => {
    expect(filtersOf(Array.from({ length: 20 }, (_, at) => `spec[k${at}]=1`).join('&'))).toHaveLength(20)
    const [key, value] = ['🕰'.repeat(128), '⌚🕰'.repeat(256)]
    expect(filtersOf(`spec[${key}]=${value}`)).toEqual([
      { subject: 'spec', key, operator: 'is', values: [value] },
    ])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'is', 'spec', '0'])(
    'takes %s as an ordinary key, in filters and in errors',
    (key) => {
      expect(filtersOf(`spec[${key}]=1`)).toEqual([{ subject: 'spec', key, operator: 'is', values: ['1'] }])
      const errors = errorsOf(() => parse(`spec[${key}]=`))
      expect(Object.entries(errors ?? {})).toEqual([
        [`spec.${key}`, [`The spec.${key.replaceAll('_', ' ')} field is required.`]],
      ])
      expect(problemBody('invalid', errors)).toContain(`{"spec.${key}":["The spec.`)
    },
  )

  test.each(["'; DROP TABLE watches --", '100%', '_', '.*', '(a+)+$', '\\', '\0', '"', '\r\n', ' '])(
    'takes the value %j literally',
    (value) => {
      expect(filtersOf(`spec[a]=${encodeURIComponent(value)}`)[0]?.values).toEqual([value])
    },
  )

  test('ignores unknown parameters, whatever their shape', () => {
    expect(parse('foo=1&foo[bar]=1&foo[=&Page=0&specs[a]=1&spec%00=1&__proto__[a]=1&=1&&')).toEqual(parse(''))
  })

  test('has ranges of quantities in any unit of the key, and of bare numbers', () => {
    for (const value of ['10%20bar', '100', '330%20ft', '100%20m']) {
      expect(filtersOf(`spec[water_resistance][gte]=${value}`)).toHaveLength(1)
    }
    expect(filtersOf('spec[jewels][gt]=20&spec[jewels][lt]=30')).toHaveLength(2)
  })

  test.each(['ids=1,2', 'ids=1&ids=2', 'ids[]=1&ids[]=2', 'ids%5B%5D=1&ids[]=2', 'ids[0]=1&ids[1]=2'])(
    '%s is a list of two ids, on a page of two',
    (written) => {
      expect(parse(written)).toMatchObject({ ids: [1, 2], paging: { page: 1, perPage: 2 } })
      expect(parse(`${written}&per_page=25`).paging.perPage).toBe(25)
    },
  )

  test.each(['$=a,b', '$=a&$=b', '$[]=a&$[]=b', '$[0]=a&$[1]=b', '$%5B0%5D=a&$%5B1%5D=b'])(
    'has fields and facets as %s',
    (form) => {
      expect(parse(form.replaceAll('$', 'facets')).facets).toEqual(['a', 'b'])
      const fields = form
        .replaceAll('$', 'fields')
        .replaceAll('=a', '=specs.a')
        .replace(/([=,])b$/, '$1specs.b')
      expect(parse(fields).fields).toEqual(['specs.a', 'specs.b'])
    },
  )

  test.each([
    'spec[a][]=1&spec[a][]=2',
    'spec[a][0]=1&spec[a][1]=2',
    'spec[a:any]=1,2',
    'spec[a:any]=1&spec[a:any]=2',
    'spec%5Ba%3Aany%5D=1%2C2',
    'spec[a][any]=1,2',
  ])('%s is a filter for one of two values', (written) => {
    expect(filtersOf(written)).toEqual([{ subject: 'spec', key: 'a', operator: 'any', values: ['1', '2'] }])
  })

  test('has commas in the values of a list if a backslash is before them', () => {
    expect(filtersOf('spec[a:any]=Sapphire\\,%20domed,x\\\\,\\y')[0]?.values).toEqual([
      'Sapphire, domed',
      'x\\',
      '\\y',
    ])
  })

  test.each([
    [
      'spec[case_width:gte]=4%20cm',
      { subject: 'spec', key: 'case_width', operator: 'gte', values: ['4 cm'] },
    ],
    ['spec[a:is]=x', { subject: 'spec', key: 'a', operator: 'is', values: ['x'] }],
    ['retail_price_usd:gte=5', { subject: retail, key: retail, operator: 'gte', values: ['5'] }],
    ['retail_price_usd%3Alt=5', { subject: retail, key: retail, operator: 'lt', values: ['5'] }],
    ['brand:is=Rolex', { subject: 'brand', key: 'brand', operator: 'is', values: ['Rolex'] }],
  ])('%s is a filter in one level', (written, filter) => {
    expect(filtersOf(written)).toEqual([filter])
  })

  test('pages by id after a watch', () => {
    expect(parse('after=0&per_page=2')).toMatchObject({ after: 0, paging: { page: 1, perPage: 2 } })
    expect(parse('after=7&page=3&sort=id&q=x')).toMatchObject({ after: 7, sort: { by: 'id' } })
    const needs = { after: ['The after needs the order by id: leave out sort, or send sort=id.'] }
    for (const sort of ['-id', 'brand']) expect(errorsOf(() => parse(`after=7&sort=${sort}`))).toEqual(needs)
    expect(errorsOf(() => parse('after=-1'))).toEqual({
      after: ['The after must be between 0 and 9007199254740991.'],
    })
  })

  test('has lists without duplicates: ids and facets as given, fields in the order of the response', () => {
    expect(parse('ids=3,1,3').ids).toEqual([3, 1])
    expect(parse('facets=b,brand,b,specs.brand,a').facets).toEqual(['b', 'brand', 'specs.brand', 'a'])
    const fields = parse('fields=specs.b,brand,specs.a,id,brand').fields
    expect(fields).toEqual(['id', 'brand', 'specs.a', 'specs.b'])
    expect(parse('fields=specs.a,specs,id').fields).toEqual(['id', 'specs'])
  })

  test('has folded words and a sort with its direction', () => {
    expect(parse('q=+Söhne%20LANGE+').words).toEqual(['sohne', 'lange'])
    expect(parse('sort=-retail_price_usd').sort).toEqual({ by: 'retail_price_usd', descending: true })
  })

  test('has booleans in any spelling that clients write', () => {
    for (const value of ['1', 'true', 'True', 'TRUE', 'yes', 'on']) {
      expect(parse(`explain=${value}`).explain).toBe(true)
      expect(filtersOf(`spec[a][exists]=${value}`)[0]?.values).toEqual(['true'])
    }
    for (const value of ['0', 'false', 'False', 'FALSE', 'no', 'off']) {
      expect(parse(`explain=${value}`).explain).toBe(false)
      expect(filtersOf(`spec[a:exists]=${value}`)[0]?.values).toEqual(['false'])
    }
  })
})

describe('whatever is sent', () => {
  const textUpTo = (max: number) =>
    fc
      .string({ unit: anyCodePoint, minLength: 1, maxLength: max, size: 'max' })
      .filter((text) => text.isWellFormed())
  const [key, value] = [textUpTo(128), textUpTo(512)]
  const grammar = fc.constantFrom(
    ...['spec', 'page', 'q', 'ids', 'fields', 'brand', 'retail_price_usd', '[', ']', '[]', '[not]', '[gte]'],
    ...['=', '&', '%', '%5B', '%5D', '%FF', '+', ',', '-', '1', '__proto__', '\ud800', 'dial_color'],
  )
  const inQueries = [...`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/?`]
  const ofQuery = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...inQueries) },
    { weight: 1, arbitrary: anyCodePoint.map(encodeURIComponent) },
  )
  const garbage = fc.oneof(
    fc.string({ unit: anyCodePoint }),
    fc.array(grammar, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.string({ unit: ofQuery }),
  )

  test('any key and any value are parsed as they were sent', () => {
    fc.assert(
      fc.property(key, value, (key, value) => {
        fc.pre(findGarbled(value) === undefined)
        const path = pathOf(key).map((text) => `[${encodeURIComponent(text)}]`)
        const written = `spec${path.join('')}=${encodeURIComponent(value)}`
        expect(filtersOf(written)).toEqual([{ subject: 'spec', key, operator: 'is', values: [value] }])
      }),
    )
  })

  test('every key can be named with every operator, in both spellings, even if it looks as if it had one', () => {
    const colons = fc.array(fc.constantFrom(':', ...operatorWords, 'a', 'b:gte'), { minLength: 1 })
    const anyKey = fc.oneof(
      key,
      colons.map((parts) => parts.join('')),
      fc
        .tuple(key, fc.constantFrom(...operatorWords))
        .map(([before, word]) => `${before}:${word}`.slice(-128)),
    )
    const spec = operators.filter(({ subjects }) => subjects.includes('spec'))
    fc.assert(
      fc.property(anyKey, fc.constantFrom(...spec), (key, { operator }) => {
        fc.pre([...key].length <= 128 && key.isWellFormed() && !/[[\]]/.test(key))
        const value = operator === 'exists' ? 'true' : '7'
        const expected = [{ subject: 'spec', key, operator, values: [value] }]
        const { nested, oneLevel } = parameterNames({ subject: 'spec', key, operator })
        for (const name of [nested, oneLevel]) {
          expect(filtersOf(new URLSearchParams([[name, value]]).toString())).toEqual(expected)
        }
      }),
    )
  })

  test('also from a client that encodes the brackets, unless the key itself contains `][`', () => {
    const suffixes = operators.filter(({ value }) => value === 'text')
    const unambiguous = fc.oneof(key, fc.string({ unit: fc.constantFrom('[', ']', 'a'), minLength: 1 }))
    fc.assert(
      fc.property(unambiguous, value, fc.constantFrom(...suffixes), (key, value, { operator }) => {
        fc.pre(!key.includes('][') && findGarbled(value) === undefined)
        const { nested: name } = parameterNames({ subject: 'spec', key, operator })
        const written = new URLSearchParams([[name, value]]).toString()
        expect(filtersOf(written)).toEqual([{ subject: 'spec', key, operator, values: [value] }])
      }),
    )
  })

  test('the result is a query or a 422 with texts, and is the same every time', () => {
    const read = (written: string) => {
      let query: unknown
      const errors = errorsOf(() => {
        query = parse(written)
      })
      return { query, errors }
    }
    fc.assert(
      fc.property(garbage, (written) => {
        const { query, errors } = read(written)
        expect(read(written)).toEqual({ query, errors })
        for (const texts of Object.values(errors ?? {})) {
          for (const text of texts) expect(text).toMatch(/^The .+\.$/s)
        }
        if (errors !== undefined) expect(problemBody('invalid', errors)).toContain('"errors":{"')
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('another list', () => {
  const parseBrands = (written: string) => parseListQuery(written, ['name', 'watches_count'])

  test('is searched, sorted and paged alike, and sorted by its first field by default', () => {
    expect(parseBrands('')).toEqual({
      words: [],
      sort: { by: 'name', descending: false },
      paging: { page: 1, perPage: 25 },
    })
    expect(parseBrands('q=Lange&sort=-watches_count&page=2&per_page=5')).toEqual({
      words: ['lange'],
      sort: { by: 'watches_count', descending: true },
      paging: { page: 2, perPage: 5 },
    })
  })

  test('refuses what the list of watches refuses, and ignores parameters it does not have', () => {
    expect(parseBrands('spec=1&ids=x&fields=y&brand[]=z')).toEqual(parseBrands(''))
    expect(errorsOf(() => parseBrands('sort=id&q=&page[]=1&per_page=0'))).toEqual({
      ...sortOf('name', 'watches_count'),
      ...noLetter,
      page: ['The page must be written without brackets.'],
      per_page: ['The per page must be between 1 and 100.'],
    })
  })
})
