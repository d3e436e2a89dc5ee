// The table of operations on brands and specs.
import { brandSorts } from '../../../search/results/list-brands.ts'
import {
  example,
  invalid,
  maxOf,
  notFound,
  type OperationRow,
  type PathParameter,
  pagingOf,
} from './operation.ts'

const idOrSlug: PathParameter = {
  name: 'brand',
  type: 'string',
  meaning: 'The id or the slug of the brand.',
  example: 'a-lange-soehne',
}

export const catalogueOperations: readonly OperationRow[] = [
  {
    id: 'listBrands',
    tag: 'Brands',
    path: '/brands',
    summary: 'List brands',
    description: 'The brands of the catalogue, page by page, sorted by name by default.',
    found: 'A page of brands.',
    query: [
      ...pagingOf('brands'),
      {
        name: 'q',
        type: 'string',
        max: maxOf('q'),
        meaning:
          'Words to find in name, slug and aliases. All must match; the last may be the beginning of a word.',
        example: 'q=lange',
      },
      {
        name: 'sort',
        type: 'string',
        default: brandSorts[0],
        choices: brandSorts.flatMap((sort) => [sort, `-${sort}`]),
        meaning: 'The order. A leading `-` sorts in descending order; the id breaks ties.',
        example: 'sort=-watches_count',
      },
    ],
    answers: ['BrandList'],
    headers: ['link'],
    examples: [
      example('largest', 'The two brands with the most watches', '/brands?sort=-watches_count&per_page=2'),
      example('search', 'By an alias', '/brands?q=als'),
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
    answers: ['BrandAnswer'],
    problems: ['not_found'],
    examples: [example('brand', 'By its slug', '/brands/a-lange-soehne'), notFound('/brands/nobody')],
  },
  {
    id: 'listBrandWatches',
    tag: 'Brands',
    path: '/brands/{brand}/watches',
    summary: 'List a brand’s watches',
    description: 'The same list as `/watches`, with the same parameters, for one brand.',
    found: 'A page of watches of the brand.',
    pathParameters: [idOrSlug],
    query: 'watches',
    answers: ['WatchList'],
    headers: ['link', 'unknownSpecKeys', 'unknownWords', 'didYouMean'],
    problems: ['not_found'],
    examples: [
      example(
        'filters',
        'Tudor’s automatic watches, whatever each data sheet calls them',
        '/brands/tudor/watches?spec[movement_type]=automatic&fields=id,collection,specs.movement_type&per_page=2',
        { answer: 'PickedWatchList' },
      ),
      example('watches', 'The first watch of a brand', '/brands/a-lange-soehne/watches?per_page=1'),
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
      'Every key that a watch has in `specs`, the most frequent first, with its type, its unit and some of its values. The response contains the whole dictionary.',
    found: 'All keys.',
    answers: ['SpecKeyList'],
    examples: [example('keys', 'The keys of the sample', '/specs')],
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
    problems: ['not_found'],
    examples: [
      example('values', 'The most frequent depths', '/specs/water_resistance?per_page=5'),
      notFound('/specs/dail_color'),
      invalid('/specs/water_resistance?per_page=0'),
    ],
  },
]
