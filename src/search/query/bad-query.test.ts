import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config.ts'
import { type FieldErrors, Problem } from '../../errors.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { parseWatchQuery } from './parse-query.ts'
import type { Filter } from './watch-query.ts'

const vocabulary = await readVocabulary(parseConfig({}))
const parse = (written: string) => parseWatchQuery(written, vocabulary)

function errorsOf(read: () => unknown): FieldErrors | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid') throw error
    return error.details.errors
  }
}

const shape = {
  spec: ['The spec must be written as spec[key]=value or, for a range, spec[key:gte]=value.'],
}
const knownOperators = '[], [not], [gt], [gte], [lt], [lte], [exists] or [exact]'
const unknownOperator = { 'spec.a': [`The spec.a operator is not known: it may be ${knownOperators}.`] }
const tooMany = { spec: ['The spec must not have more than 20 filters.'] }
const badIds = { ids: ['The ids must be positive integers separated by commas.'] }
const sortOf = (...sorts: string[]) => ({
  sort: [
    `The selected sort is invalid: it may be ${sorts.slice(0, -1).join(', ')} or ${sorts.at(-1)}, with a - before it to sort in descending order.`,
  ],
})
const badSort = sortOf('id', 'relevance', 'brand', 'retail_price_usd', 'current_market_price', 'updated_at')
const badFields = (shown: string) => ({
  fields: [
    `The selected fields is invalid: "${shown}" is none. It may be id, brand, collection, reference_number, retail_price_usd, current_market_price, specs, updated_at or specs.<key>.`,
  ],
})
const badFacets = (shown: string) => ({
  facets: [
    `The selected facets is invalid: "${shown}" is none. It may be a spec key of 1 to 128 characters, brand or collection.`,
  ],
})
const badList = (field: string) => ({
  [field]: [`The ${field} must be written as ${field}=a,b or ${field}[]=a&${field}[]=b.`],
})
const badExplain = { explain: ['The explain field must be true or false.'] }
const priceOperator = {
  current_market_price: [
    'The current market price operator is not known: it may be [gt], [gte], [lt] or [lte].',
  ],
}
const noLetter = { q: ['The q must contain a letter or a digit.'] }
const price = { retail_price_usd: ['The retail price usd must be a number such as 5000.'] }
const dialRequired = { 'spec.dial_color': ['The spec.dial color field is required.'] }
const dialOnce = {
  'spec.dial_color': [
    'The spec.dial color must be given once; for one of several values, write spec[dial_color][]=a&spec[dial_color][]=b.',
  ],
}
const dialNotOnce = { 'spec.dial_color': ['The spec.dial color must be given once.'] }
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
const severally = (field: string) => ({
  [field]: [`The ${field} must be written as ${field}=a or, for any of several, ${field}[]=a&${field}[]=b.`],
})
const once = (field: string) => ({ [field]: [`The ${field} must be given once.`] })
const undecodable = (field: string, spoken = field) => ({
  [field]: [`The ${spoken} must be valid percent-encoded UTF-8.`],
})

const badSpecs: readonly BadQuery[] = [
  ...refused(shape, 'spec=1', 'spec', 'spec=', 'spec[]', 'spec[]=x', 'spec[', 'spec]', 'spec[a', 'spec[a=1'),
  ...refused(shape, 'spec]a[', 'spec]a[=1', 'spec[a]b', 'spec[a]b=1', 'spec[a]]=1', 'spec[a[b]]=1'),
  ...refused(shape, 'spec[][not]=x', 'spec[][]=x', 'spec%5B%5D=x', 'spec%5Ba=1', 'spec=1&spec=2'),
  ...refused(unknownOperator, 'spec[a][b][c]=1', 'spec[a][b][]=1', 'spec[a][b][c][d]=1'),
  ...refused(unknownOperator, 'spec[a][like]=1', 'spec[a][NOT]=1', 'spec[a][0][gt]=1'),
  ...refused(unknownOperator, 'spec[a][%20not]=1', 'spec[a][__proto__]=1', 'spec%5Ba%5D%5Blike%5D=1'),
  ...refused(
    dialRequired,
    'spec[dial_color]=',
    'spec[dial_color]',
    'spec[dial_color][]=',
    'spec[dial_color][gt]=',
  ),
  ...refused(dialOnce, 'spec[dial_color]=a&spec[dial_color]=b', 'spec[dial_color]=a&spec%5Bdial_color%5D=a'),
  ...refused(dialNotOnce, 'spec[dial_color][exact]=a&spec[dial_color:exact]=b'),
  ...refused(
    { 'spec.a': ['The spec.a operator takes one value, not a list.'] },
    ...['spec[a][exact][]=1', 'spec[a:gte][0]=1', 'spec[a:exists][]=true'],
  ),
  ...refused(dialRequired, 'spec[dial_color:any]=a,', 'spec[dial_color:any]=a,,b', 'spec[dial_color:is]='),
  ...refused(dialRequiredOnce, 'spec[dial_color]=&spec[dial_color]=x'),
  ...refused(
    { 'spec.a': [long('spec.a')] },
    `spec[a]=${'x'.repeat(513)}`,
    `spec[a]=${'%E2%8C%9A'.repeat(513)}`,
  ),
  ...refused({ 'spec.a': [long('spec.a')] }, `spec[a][]=x&spec[a][]=${'%F0%9F%95%B0'.repeat(513)}`),
  ...refused(keyTooLong, `spec[${longKey}]=1`),
  ...refused(existsBoolean, ...values('spec[a][exists]', 'y', '2', 'none', '%20true', 'true,false')),
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
    `spec[k:any]=${times(21, () => '1', ',')}`,
    `spec[k:any]=${times(20, () => '1', ',')}&brand=x`,
  ),
  ...refused(tooMany, `brand=x&${times(20, (at) => `spec[k${at}]=1`)}`),
]

const badFieldFilters: readonly BadQuery[] = [
  ...refused({ brand: ['The brand field is required.'] }, 'brand=', 'brand'),
  ...refused(
    { brand: ['The brand must be given once; for one of several values, write brand[]=a&brand[]=b.'] },
    'brand=a&brand=b',
  ),
  ...refused({ collection: ['The collection field is required.'] }, 'collection='),
  ...refused({ reference_number: ['The reference number field is required.'] }, 'reference_number='),
  ...refused(severally('brand'), 'brand[not]=a', 'brand:not=a', 'brand[=a', 'brand[][x]=a'),
  ...refused(severally('collection'), 'collection[x][y]=a'),
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
  ...refused(badIds, 'ids[]=1,2', 'ids[]=', 'ids=1&ids=x'),
  ...refused(badList('ids'), 'ids[a]=1', 'ids[][]=1', 'ids[=1', 'ids[0][1]=1', 'ids:any=1'),
  ...refused(badList('fields'), 'fields[x]=id'),
  ...refused(
    badSort,
    ...values('sort', '', '-', '--id', 'price', 'ID', '%20id', 'id,brand', '%2Bid', '__proto__'),
  ),
  ...refused(once('sort'), 'sort=id&sort=id'),
  ...['', ',', 'id,'].flatMap((list) => refused(badFields(''), `fields=${list}`)),
  ...['nonsense', 'price', 'ID', 'specs.', 'spec.a', '__proto__', 'dial_color'].flatMap((field) =>
    refused(badFields(field), `fields=${field}`, `fields=id,${field}`, `fields[]=id&fields[]=${field}`),
  ),
  ...refused(badFields('id,brand'), 'fields[]=id,brand'),
  ...refused(badFields(`specs.${'k'.repeat(34)}…`), `fields=specs.${longKey}`),
  ...refused(
    { fields: ['The fields may not have more than 100 items.'] },
    `fields=${times(101, () => 'id', ',')}`,
  ),
  ...refused(badFacets(''), ...values('facets', '', ',', 'a,', ',a', 'a,,b')),
  ...refused(badFacets('specs.'), 'facets=specs.'),
  ...refused(badFacets(`${'k'.repeat(40)}…`), `facets=${longKey}`),
  ...refused(badFacets(`specs.${'k'.repeat(34)}…`), `facets=specs.${longKey}`),
  ...refused(
    { facets: ['The facets may not have more than 20 items.'] },
    `facets=${times(21, () => 'a', ',')}`,
  ),
  ...refused(badExplain, ...values('explain', '', 'y', '2', 'yes%20', 'enabled')),
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
    const written = 'page=0&spec=1&spec[dial_color]=&sort=x&q=%FF&brand[x]=1&per_page=1e3&facets=,'
    expect(errorsOf(() => parse(written))).toEqual({
      ...shape,
      ...dialRequired,
      ...badSort,
      ...undecodable('q'),
      ...severally('brand'),
      ...badFacets(''),
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

describe('a value that a client garbled is refused with the right form', () => {
  const object = 'is an object that your client turned into text: write'
  const objects = [
    '[object Object]',
    '{"gte":"100 m"}',
    "{'gte': '100 m'}",
    '{"gte"=>"100 m"}',
    ' {} ',
    '{:a=>1}',
  ]
  test.each([...objects, '[object Object],[object Object]'])('%s', (value) => {
    const sent = encodeURIComponent(value)
    expect(errorsOf(() => parse(`spec[water_resistance]=${sent}`))).toEqual({
      'spec.water_resistance': [
        `The spec.water resistance ${object} spec[water_resistance][gte]=value or spec[water_resistance:gte]=value.`,
      ],
    })
    expect(errorsOf(() => parse(`retail_price_usd=${sent}`))).toEqual({
      retail_price_usd: [
        `The retail price usd ${object} retail_price_usd[gte]=value or retail_price_usd:gte=value.`,
      ],
    })
    expect(errorsOf(() => parse(`brand=${sent}`))).toEqual({ brand: [`The brand ${object} brand=value.`] })
    expect(errorsOf(() => parse(`spec=${sent}`))).toEqual(shape)
  })

  test.each(['["Black","Blue"]', "['Black', 'Blue']", '[ "Black" ]'])('%s', (value) => {
    expect(errorsOf(() => parse(`spec[dial_color]=${encodeURIComponent(value)}`))).toEqual({
      'spec.dial_color': [
        'The spec.dial color is a list that your client turned into text: write spec[dial_color][]=a&spec[dial_color][]=b or spec[dial_color:any]=a,b.',
      ],
    })
  })

  test('but can be searched for exactly', () => {
    for (const value of objects) {
      const sent = `spec[a][exact]=${encodeURIComponent(value)}`
      expect(parse(sent).filters[0]?.values).toEqual([value])
    }
  })

  test.each([
    ['[Black Blue]', 'is a list that your client turned into text: write'],
    ["('Black', 'Blue')", 'is a list that your client turned into text: write'],
    ['Array', 'is a list that your client turned into text: write'],
    ['map[gte:100 m]', 'is an object that your client turned into text: write spec[a][gte]=value'],
    ['HASH(0x55d0)', 'is an object that your client turned into text: write spec[a][gte]=value'],
    ['gte', 'is an object that your client turned into text: write spec[a][gte]=value'],
    ['>=100 m', 'has an operator in its value: write spec[a][gte]=value or spec[a:gte]=value.'],
    ['lt:40', 'has an operator in its value: write spec[a][gte]=value or spec[a:gte]=value.'],
    ['"Black"', 'has quotation marks around its value: write spec[a]=value.'],
  ])('%s %s', (value, fault) => {
    const [text] = errorsOf(() => parse(`spec[a]=${encodeURIComponent(value)}`))?.['spec.a'] ?? []
    expect(text?.startsWith(`The spec.a ${fault}`)).toBe(true)
  })

  test('unless a watch has it', () => {
    const isStored = ({ operator, values }: Filter) => operator === 'exact' && values[0] === '>100 h'
    expect(() => parseWatchQuery('spec[power_reserve]=%3E100%20h', vocabulary, isStored)).not.toThrow()
    expect(() => parseWatchQuery('spec[power_reserve]=%3E90%20h', vocabulary, isStored)).toThrow()
  })

  test.each(['{a', '[Black', 'Object', '(a)', '5"', 'null', 'None', 'gte 5'])(
    '%s is a text like any other',
    (value) => {
      expect(parse(`spec[a]=${encodeURIComponent(value)}`).filters[0]?.values).toEqual([value])
    },
  )
})
