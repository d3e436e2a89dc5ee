// In charge of what can be asked of the API, as one table: the document, the docs page and the tests read it. An
// answer is named here by its schema only, so that whoever reads the table need not load the schemas.
import { priceLinesMax } from '../../catalogue/price-history.ts'
import { brandSorts } from '../../search/list-brands.ts'
import { type ListParameter, listParameters } from '../../search/operators.ts'
import type { AnswerName } from '../contract.ts'
import { type AnswerHeader, quotaHeaders } from './answer-headers.ts'

export interface Operation {
  readonly id: string
  readonly tag: 'Watches' | 'Brands' | 'Specs' | 'Account'
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** What a 200 brings. */
  readonly found: string
  readonly pathParameters: readonly PathParameter[]
  /** `watches` for all that a list of watches takes: filters, search, sort, facets and the rest. */
  readonly query: 'watches' | readonly ListParameter[]
  /** What 200 may carry; the first is the usual one. */
  readonly answers: readonly [AnswerName, ...AnswerName[]]
  /** Of a 200, besides those that every answer has. */
  readonly headers: readonly AnswerHeader[]
  /** What can go wrong beyond what can go wrong everywhere. */
  readonly problems: readonly ('not_found' | 'invalid')[]
  readonly examples: readonly Example[]
}

export interface PathParameter {
  readonly name: string
  readonly type: 'integer' | 'string'
  readonly meaning: string
  readonly example: string
}

/** A request of the sample catalogue; its answer is in examples.json. */
export interface Example {
  readonly name: string
  readonly summary: string
  /** Below /api/v1, as it is sent. */
  readonly request: string
  readonly status: 200 | 404 | 422 | 429
  readonly answer: AnswerName
  /** Of its answer, those that are worth showing. */
  readonly headers?: readonly AnswerHeader[]
}

const idOrSlug: PathParameter = {
  name: 'brand',
  type: 'string',
  meaning: 'The id or the slug of the brand.',
  example: 'a-lange-soehne',
}

export const operations: readonly Operation[] = [
  {
    id: 'listWatches',
    tag: 'Watches',
    path: '/watches',
    summary: 'List watches',
    description:
      'The watches that match all filters, page by page. Without filters it is the whole catalogue, in order of id.',
    found: 'A page of watches.',
    pathParameters: [],
    query: 'watches',
    answers: ['WatchList', 'PickedWatchList'],
    headers: ['link', 'unknownSpecKeys'],
    problems: ['invalid'],
    examples: [
      example('filters', 'Black dials that are water-resistant to 100 m or more', {
        request: '/watches?spec[dial_color]=Black&spec[water_resistance][gte]=100%20m&per_page=1',
        answer: 'WatchList',
      }),
      example('fields', 'The three most expensive watches, with four fields each', {
        request: '/watches?sort=-retail_price_usd&fields=id,brand,collection,retail_price_usd&per_page=3',
        answer: 'PickedWatchList',
      }),
      example('search', 'Words, the last of them unfinished', {
        request: '/watches?q=royal%20oak%20jum&fields=id,brand,collection,reference_number',
        answer: 'PickedWatchList',
      }),
      example('facets', 'How Omega’s watches divide by dial and movement', {
        request: '/watches?brand=Omega&facets=dial_color,movement_type&fields=id,collection&per_page=1',
        answer: 'PickedWatchList',
      }),
      example('explain', 'How a quantity and a synonym are read', {
        request:
          '/watches?spec[water_resistance]=330%20ft&spec[movement_type]=self-winding&explain=1&fields=id,specs.water_resistance,specs.movement_type&per_page=2',
        answer: 'PickedWatchList',
      }),
      example('unknown_key', 'A key that no watch has', {
        request: '/watches?spec[dail_color]=Black',
        answer: 'WatchList',
        headers: ['unknownSpecKeys'],
      }),
      invalid('/watches?per_page=1000&sort=price&spec[case_diameter][gte]=large'),
      {
        name: 'spent',
        summary: 'A day that is spent',
        request: '/watches',
        status: 429,
        answer: 'Problem',
        headers: [...quotaHeaders, 'retryAfter'],
      },
    ],
  },
  {
    id: 'getWatch',
    tag: 'Watches',
    path: '/watches/{id}',
    summary: 'Get a watch',
    description: 'One watch, with all its fields.',
    found: 'The watch.',
    pathParameters: [{ name: 'id', type: 'integer', meaning: 'The id of the watch.', example: '1' }],
    query: [],
    answers: ['WatchAnswer'],
    headers: [],
    problems: ['not_found'],
    examples: [
      example('watch', 'The first watch of the sample', { request: '/watches/1', answer: 'WatchAnswer' }),
      notFound('/watches/999999999'),
    ],
  },
  {
    id: 'getPriceHistory',
    tag: 'Watches',
    path: '/watches/{id}/prices',
    summary: 'Get the prices of a watch',
    description: `What a watch has cost, the newest line first: each is valid from its \`date\` until the next. How far back it goes depends on the plan; the ${priceLinesMax.toLocaleString('en')} newest lines of the range are answered. \`change_30d\` and \`change_365d\` stand beside \`data\`: how the market price has changed since then, in percent, whatever the range; null when either price is not known.`,
    found: 'The lines of the range, and the changes.',
    pathParameters: [{ name: 'id', type: 'integer', meaning: 'The id of the watch.', example: '1' }],
    query: [
      {
        name: 'from',
        type: 'date',
        default: undefined,
        meaning:
          'The first day, as `2024-01-31`. Earlier than the plan goes back, it is the first of the plan.',
        example: 'from=2024-01-01',
      },
      {
        name: 'to',
        type: 'date',
        default: undefined,
        meaning: 'The last day, itself included.',
        example: 'to=2024-12-31',
      },
    ],
    answers: ['PriceHistory'],
    headers: [],
    problems: ['not_found', 'invalid'],
    examples: [
      example('history', 'The whole history of a watch of the sample', {
        request: '/watches/1/prices',
        answer: 'PriceHistory',
      }),
      example('range', 'A year in which nothing changed', {
        request: '/watches/1/prices?from=2025-01-01&to=2025-12-31',
        answer: 'PriceHistory',
      }),
      notFound('/watches/999999999/prices'),
      invalid('/watches/1/prices?from=2025-02-29&to=1.3.2025'),
    ],
  },
  {
    id: 'listBrands',
    tag: 'Brands',
    path: '/brands',
    summary: 'List brands',
    description: 'The brands of the catalogue, page by page, by name unless asked otherwise.',
    found: 'A page of brands.',
    pathParameters: [],
    query: [
      ...pagingOf('brands'),
      {
        name: 'q',
        type: 'string',
        default: undefined,
        max: maxOf('q'),
        meaning: 'Words to find in name, slug and aliases. All must match, the last by its beginning.',
        example: 'q=lange',
      },
      {
        name: 'sort',
        type: 'string',
        default: brandSorts[0],
        choices: brandSorts.flatMap((sort) => [sort, `-${sort}`]),
        meaning: 'The order. `-` descends, the id breaks ties.',
        example: 'sort=-watches_count',
      },
    ],
    answers: ['BrandList'],
    headers: ['link'],
    problems: ['invalid'],
    examples: [
      example('largest', 'The two brands with the most watches', {
        request: '/brands?sort=-watches_count&per_page=2',
        answer: 'BrandList',
      }),
      example('search', 'By an alias', { request: '/brands?q=als', answer: 'BrandList' }),
      invalid('/brands?sort=country'),
    ],
  },
  {
    id: 'getBrand',
    tag: 'Brands',
    path: '/brands/{brand}',
    summary: 'Get a brand',
    description: 'One brand, by its id or its slug.',
    found: 'The brand.',
    pathParameters: [idOrSlug],
    query: [],
    answers: ['BrandAnswer'],
    headers: [],
    problems: ['not_found'],
    examples: [
      example('brand', 'By its slug', { request: '/brands/a-lange-soehne', answer: 'BrandAnswer' }),
      notFound('/brands/nobody'),
    ],
  },
  {
    id: 'listBrandWatches',
    tag: 'Brands',
    path: '/brands/{brand}/watches',
    summary: 'List a brand’s watches',
    description: 'The same list as that of all watches, with the same parameters, of one brand.',
    found: 'A page of watches of the brand.',
    pathParameters: [idOrSlug],
    query: 'watches',
    answers: ['WatchList', 'PickedWatchList'],
    headers: ['link', 'unknownSpecKeys'],
    problems: ['not_found', 'invalid'],
    examples: [
      example('filters', 'Tudor’s automatic watches, whatever each data sheet calls them', {
        request:
          '/brands/tudor/watches?spec[movement_type]=automatic&fields=id,collection,specs.movement_type&per_page=2',
        answer: 'PickedWatchList',
      }),
      example('watches', 'The first watch of a brand', {
        request: '/brands/a-lange-soehne/watches?per_page=1',
        answer: 'WatchList',
      }),
      notFound('/brands/nobody/watches'),
      invalid('/brands/tudor/watches?spec[movement_type][like]=auto'),
    ],
  },
  {
    id: 'listSpecKeys',
    tag: 'Specs',
    path: '/specs',
    summary: 'List spec keys',
    description:
      'Every key that a watch has in `specs`, the most frequent first, with its type, its unit and some of its values. The whole dictionary is one answer.',
    found: 'All keys.',
    pathParameters: [],
    query: [],
    answers: ['SpecKeyList'],
    headers: [],
    problems: [],
    examples: [example('keys', 'The keys of the sample', { request: '/specs', answer: 'SpecKeyList' })],
  },
  {
    id: 'listSpecValues',
    tag: 'Specs',
    path: '/specs/{key}',
    summary: 'List the values of a key',
    description:
      'Every value of a key with the number of watches that have it, the most frequent first. Spellings of one value are counted together: `10 bar` as `100 m`.',
    found: 'A page of values with their counts.',
    pathParameters: [
      { name: 'key', type: 'string', meaning: 'A key of `specs`.', example: 'water_resistance' },
    ],
    query: pagingOf('values'),
    answers: ['SpecValueList'],
    headers: ['link'],
    problems: ['not_found', 'invalid'],
    examples: [
      example('values', 'The most frequent depths', {
        request: '/specs/water_resistance?per_page=5',
        answer: 'SpecValueList',
      }),
      notFound('/specs/dail_color'),
      invalid('/specs/water_resistance?per_page=0'),
    ],
  },
  {
    id: 'getUsage',
    tag: 'Account',
    path: '/usage',
    summary: 'Get your usage',
    description:
      'The plan of your account, what is left of today, and how many requests were counted on each of the last 30 days. Costs nothing, and is answered even when no request is left.',
    found: 'Where the account stands.',
    pathParameters: [],
    query: [],
    answers: ['UsageAnswer'],
    headers: [],
    problems: [],
    examples: [
      example('usage', 'A new account on its first day', {
        request: '/usage',
        answer: 'UsageAnswer',
        headers: quotaHeaders,
      }),
    ],
  },
]

function example(
  name: string,
  summary: string,
  rest: Pick<Example, 'request' | 'answer' | 'headers'>,
): Example {
  return { name, summary, status: 200, ...rest }
}

function notFound(request: string): Example {
  return { name: 'not_found', summary: 'What does not exist', request, status: 404, answer: 'Problem' }
}

function invalid(request: string): Example {
  return {
    name: 'invalid',
    summary: 'What is not valid, all at once',
    request,
    status: 422,
    answer: 'InvalidProblem',
  }
}

/** The paging of the list of watches, said of other things. */
function pagingOf(things: string): readonly ListParameter[] {
  return listParameters
    .filter(({ name }) => name === 'page' || name === 'per_page')
    .map((row) => ({ ...row, meaning: row.meaning.replace('watches', things) }))
}

function maxOf(name: string): number {
  return listParameters.find((row) => row.name === name)?.max ?? Number.POSITIVE_INFINITY
}
