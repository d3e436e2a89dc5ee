import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { parseConfig } from '../../config.ts'
import { type FieldErrors, Problem, problemBody } from '../../errors.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { operators } from './operators.ts'
import { parseListQuery, parseWatchQuery } from './parse-query.ts'

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

const shape = { spec: ['The spec must be written as spec[key]=value.'] }
const knownOperators = '[], [not], [gt], [gte], [lt], [lte], [exists] or [exact]'
const unknownOperator = { 'spec.a': [`The spec.a operator is not known: it may be ${knownOperators}.`] }
const tooMany = { spec: ['The spec must not have more than 20 filters.'] }
const badIds = { ids: ['The ids must be positive integers separated by commas.'] }
const badSort = { sort: ['The selected sort is invalid.'] }
const badFields = { fields: ['The selected fields is invalid.'] }
const badFacets = { facets: ['The selected facets is invalid.'] }
const badExplain = { explain: ['The explain field must be true or false.'] }
const priceOperator = {
  current_market_price: [
    'The current market price operator is not known: it may be [gt], [gte], [lt] or [lte].',
  ],
}
const noLetter = { q: ['The q must contain a letter or a digit.'] }
const price = { retail_price_usd: ['The retail price usd must be a number.'] }
const dialRequired = { 'spec.dial_color': ['The spec.dial color field is required.'] }
const dialOnce = { 'spec.dial_color': ['The spec.dial color must be given once.'] }
const dialRequiredOnce = {
  'spec.dial_color': [...dialRequired['spec.dial_color'], ...dialOnce['spec.dial_color']],
}
const longKey = 'k'.repeat(129)
const keyTooLong = { [`spec.${longKey}`]: ['The spec key may not be greater than 128 characters.'] }
const existsBoolean = { 'spec.a': ['The spec.a field must be true or false.'] }
const diameter = {
  'spec.case_diameter': ['The spec.case diameter must be a number or a quantity such as 10 mm.'],
}

type BadQuery = readonly [string, FieldErrors]
const refused = (errors: FieldErrors, ...written: string[]) => written.map((one): BadQuery => [one, errors])
const values = (name: string, ...written: string[]) => written.map((value) => `${name}=${value}`)
const times = (count: number, write: (at: number) => string, separator = '&') =>
  Array.from({ length: count }, (_, at) => write(at)).join(separator)
const long = (field: string) => `The ${field} may not be greater than 512 characters.`
const bare = (field: string) => ({ [field]: [`The ${field} must be written without brackets.`] })
const once = (field: string) => ({ [field]: [`The ${field} must be given once.`] })
const undecodable = (field: string, spoken = field) => ({
  [field]: [`The ${spoken} must be valid percent-encoded UTF-8.`],
})

const badSpecs: readonly BadQuery[] = [
  ...refused(shape, 'spec=1', 'spec', 'spec=', 'spec[]', 'spec[]=x', 'spec[', 'spec]', 'spec[a', 'spec[a=1'),
  ...refused(shape, 'spec]a[', 'spec]a[=1', 'spec[a]b', 'spec[a]b=1', 'spec[a]]=1', 'spec[a[b]]=1'),
  ...refused(shape, 'spec[][not]=x', 'spec[][]=x', 'spec%5B%5D=x', 'spec%5Ba=1', 'spec=1&spec=2'),
  ...refused(unknownOperator, 'spec[a][b][c]=1', 'spec[a][][]=1', 'spec[a][not][]=1', 'spec[a][b][c][d]=1'),
  ...refused(unknownOperator, 'spec[a][like]=1', 'spec[a][is]=1', 'spec[a][any]=1', 'spec[a][NOT]=1'),
  ...refused(unknownOperator, 'spec[a][%20not]=1', 'spec[a][__proto__]=1', 'spec%5Ba%5D%5Blike%5D=1'),
  ...refused(
    dialRequired,
    'spec[dial_color]=',
    'spec[dial_color]',
    'spec[dial_color][]=',
    'spec[dial_color][gt]=',
  ),
  ...refused(dialOnce, 'spec[dial_color]=a&spec[dial_color]=b', 'spec[dial_color]=a&spec%5Bdial_color%5D=a'),
  ...refused(dialOnce, 'spec[dial_color][not]=a&spec[dial_color][not]=b'),
  ...refused(dialRequiredOnce, 'spec[dial_color]=&spec[dial_color]=x'),
  ...refused(
    { 'spec.a': [long('spec.a')] },
    `spec[a]=${'x'.repeat(513)}`,
    `spec[a]=${'%E2%8C%9A'.repeat(513)}`,
  ),
  ...refused({ 'spec.a': [long('spec.a')] }, `spec[a][]=x&spec[a][]=${'%F0%9F%95%B0'.repeat(513)}`),
  ...refused(keyTooLong, `spec[${longKey}]=1`),
  ...refused(existsBoolean, ...values('spec[a][exists]', 'yes', '1', '0', 'TRUE', '%20true', 'true,false')),
  ...refused(
    diameter,
    ...values('spec[case_diameter][gte]', 'wide', '10%20bar', 'mm', '%00', '-', '0x10', 'NaN'),
  ),
  ...refused(
    { 'spec.a_b': ['The spec.a b must be a number.'] },
    'spec[a_b][gt]=Black',
    'spec[a_b][lte]=10%20mm',
  ),
  ...refused(
    tooMany,
    times(21, (at) => `spec[k${at}]=1`),
    times(21, () => 'spec[k][]=1'),
  ),
  ...refused(tooMany, `brand=x&${times(20, (at) => `spec[k${at}]=1`)}`),
]

const badFieldFilters: readonly BadQuery[] = [
  ...refused({ brand: ['The brand field is required.'] }, 'brand=', 'brand'),
  ...refused(once('brand'), 'brand=a&brand=b'),
  ...refused({ collection: ['The collection field is required.'] }, 'collection='),
  ...refused({ reference_number: ['The reference number field is required.'] }, 'reference_number='),
  ...refused(bare('brand'), 'brand[]=a', 'brand[not]=a', 'brand[=a', 'brand%5B%5D=a'),
  ...refused(bare('collection'), 'collection[x][y]=a'),
  ...refused({ reference_number: [long('reference number')] }, `reference_number=${'1'.repeat(513)}`),
  ...refused(
    price,
    ...values('retail_price_usd[gte]', '1e3', '%201', '1+', '0x1', '1,000', '$5', '.5', '5.'),
  ),
  ...refused(
    price,
    ...values('retail_price_usd', 'cheap', '05', '%2B5', '--5', 'NaN', 'Infinity', '%EF%BC%91'),
  ),
  ...refused({ retail_price_usd: ['The retail price usd field is required.'] }, 'retail_price_usd='),
  ...refused(
    { current_market_price: ['The current market price field is required.'] },
    'current_market_price[lt]=',
  ),
  ...refused(
    { retail_price_usd: ['The retail price usd must be given once.'] },
    'retail_price_usd[gt]=1&retail_price_usd[gt]=2',
  ),
  ...refused(
    priceOperator,
    ...values('current_market_price[not]', '1'),
    ...values('current_market_price[]', '1'),
  ),
  ...refused(priceOperator, 'current_market_price[gt', 'current_market_price[gt][lt]=1'),
]

const badLists: readonly BadQuery[] = [
  ...refused(
    badIds,
    ...values('ids', '', ',', '1,', ',1', '1,,2', '0', '-1', '1e3', '1.0', '01', '1,%202', 'a', '1,x'),
  ),
  ...refused(badIds, 'ids=1;2', 'ids=9007199254740993'),
  ...refused(
    { ids: ['The ids may not have more than 100 items.'] },
    `ids=${times(101, () => '1', ',')}`,
    `ids=${times(101, (at) => `${at + 1}`, ',')}`,
  ),
  ...refused(once('ids'), 'ids=1&ids=2'),
  ...refused(bare('ids'), 'ids[]=1'),
  ...refused(
    badSort,
    ...values('sort', '', '-', '--id', 'price', 'ID', '%20id', 'id,brand', '%2Bid', '__proto__'),
  ),
  ...refused(once('sort'), 'sort=id&sort=id'),
  ...refused(
    badFields,
    ...values('fields', '', ',', 'id,', 'id,nonsense', 'price', 'ID', 'specs.', 'spec.a', '__proto__'),
  ),
  ...refused(badFields, `fields=specs.${longKey}`),
  ...refused(
    { fields: ['The fields may not have more than 100 items.'] },
    `fields=${times(101, () => 'id', ',')}`,
  ),
  ...refused(
    badFacets,
    ...values('facets', '', ',', 'a,', ',a', 'a,,b', 'specs.', longKey, `specs.${longKey}`),
  ),
  ...refused(
    { facets: ['The facets may not have more than 20 items.'] },
    `facets=${times(21, () => 'a', ',')}`,
  ),
  ...refused(badExplain, ...values('explain', '', 'yes', '2', 'TRUE', 'on')),
  ...refused(noLetter, ...values('q', '', '%25_*', '%20', '%2B%2B', '-', '%E2%80%94', '%00', '%F0%9F%95%B0')),
  ...refused({ q: [long('q')] }, `q=${'x'.repeat(513)}`),
  ...refused({ q: ['The q may not have more than 20 words.'] }, `q=${times(21, (at) => `w${at}`, '+')}`),
  ...refused(bare('q'), 'q[x]=1'),
  ...refused(once('q'), 'q=a&q=b'),
]

const brokenBytes = '% %4 %ZZ %C0%AF %ED%A0%80 %FF %E2%82 %E0%80%AF %F5%80%80%80'
const brokenTexts = [...brokenBytes.split(' '), '\ud800', '\udc00']
const badEncodings: readonly BadQuery[] = [
  ...refused(undecodable('q'), ...values('q', ...brokenTexts)),
  ...refused(undecodable('spec.a_b', 'spec.a b'), ...values('spec[a_b][not]', ...brokenTexts)),
  ...refused(undecodable('spec'), ...brokenTexts.map((broken) => `spec[${broken}]=1`)),
  ...refused(undecodable('unknown'), ...values('unknown', ...brokenTexts)),
  ...refused(undecodable('query'), ...brokenTexts.map((broken) => `${broken}=1`), '=%FF'),
  ...refused(undecodable('current_market_price', 'current market price'), 'current_market_price[gte]=%FF'),
]

describe('a bad query is refused with every error it has', () => {
  test.each([...badSpecs, ...badFieldFilters, ...badLists, ...badEncodings])('%j', (written, errors) => {
    expect(errorsOf(() => parse(written))).toEqual(errors)
  })

  test('from all of its parameters at once', () => {
    const written = 'page=0&spec=1&spec[dial_color]=&sort=x&q=%FF&brand[]=1&per_page=1e3&facets=,'
    expect(errorsOf(() => parse(written))).toEqual({
      ...shape,
      ...dialRequired,
      ...badSort,
      ...undecodable('q'),
      ...bare('brand'),
      ...badFacets,
      page: ['The page must be between 1 and 1000000000.'],
      per_page: ['The per page must be an integer.'],
    })
  })

  test('but with only one error if it has too many parameters', () => {
    expect(errorsOf(() => parse('spec=1&'.repeat(1_001)))).toEqual({
      query: ['The query must not have more than 1000 parameters.'],
    })
  })
})

describe('a good query', () => {
  test('that is empty selects all watches, sorted by id, 25 per page', () => {
    expect(parse('')).toEqual({
      filters: [],
      ids: undefined,
      words: [],
      sort: { by: 'id', descending: false },
      paging: { page: 1, perPage: 25 },
      fields: undefined,
      facets: [],
      explain: false,
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

  test('has lists without duplicates: ids and facets as given, fields in the order of the response', () => {
    expect(parse('ids=3,1,3').ids).toEqual([3, 1])
    expect(parse('facets=b,brand,b,specs.brand,a').facets).toEqual(['b', 'brand', 'specs.brand', 'a'])
    const fields = parse('fields=specs.b,brand,specs.a,id,brand').fields
    expect(fields).toEqual(['id', 'brand', 'specs.a', 'specs.b'])
    expect(parse('fields=specs.a,specs,id').fields).toEqual(['id', 'specs'])
  })

  test('has folded words, a sort with its direction, and explain as a boolean', () => {
    expect(parse('q=+Söhne%20LANGE+').words).toEqual(['sohne', 'lange'])
    expect(parse('sort=-retail_price_usd').sort).toEqual({ by: 'retail_price_usd', descending: true })
    expect(['1', 'true', '0', 'false'].map((value) => parse(`explain=${value}`).explain)).toEqual([
      true,
      true,
      false,
      false,
    ])
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
        const written = `spec[${encodeURIComponent(key)}]=${encodeURIComponent(value)}`
        expect(filtersOf(written)).toEqual([{ subject: 'spec', key, operator: 'is', values: [value] }])
      }),
    )
  })

  test('also from a client that encodes the brackets, unless the key itself contains `][`', () => {
    const suffixes = operators.filter(({ value }) => value === 'text')
    const unambiguous = fc.oneof(key, fc.string({ unit: fc.constantFrom('[', ']', 'a'), minLength: 1 }))
    fc.assert(
      fc.property(unambiguous, value, fc.constantFrom(...suffixes), (key, value, { suffix, operator }) => {
        fc.pre(!key.includes(']['))
        const name = suffix === undefined ? `spec[${key}]` : `spec[${key}][${suffix}]`
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
      ...badSort,
      ...noLetter,
      page: ['The page must be written without brackets.'],
      per_page: ['The per page must be between 1 and 100.'],
    })
  })
})
