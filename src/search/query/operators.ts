// The query grammar of the list of watches as two tables: filter operators and list parameters. The parser, the
// docs page and the OpenAPI document all read these tables, so they cannot disagree.
import { pathOf } from './one-level.ts'
import { pageMax, perPageDefault, perPageMax } from './paging.ts'
import { booleanTexts, isItem } from './parameters.ts'
import type { Filter, Operator, Subject } from './watch-query.ts'

export interface OperatorRow {
  readonly operator: Operator
  /** The text in the brackets after the key; undefined for `is`, which has no brackets. */
  readonly suffix: string | undefined
  readonly written: string
  /** The same in one level. */
  readonly oneLevel: string
  /** The type of the value if the subject is a spec. Price values are always numbers. */
  readonly value: 'text' | 'quantity' | 'boolean'
  readonly subjects: readonly Subject[]
  readonly meaning: string
  /** A query string that matches at least one watch of the sample catalogue, as do all examples in this file. */
  readonly example: string
}

export interface ListParameter {
  readonly name: string
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date' | 'list of integers' | 'list of strings'
  readonly default?: string | undefined
  /** The minimum of an integer; 1 if not given. */
  readonly min?: number
  /** The maximum value of an integer, length of a list, or number of characters of a string. */
  readonly max?: number
  readonly choices?: readonly string[]
  readonly meaning: string
  readonly example: string
}

export const queryLimits = {
  /** Filter values per request, of specs and fields together. */
  filters: 20,
  /** Lengths are in code points: an emoji counts as one character. */
  keyLength: 128,
  valueLength: 512,
  words: 20,
  /** Of a text to complete. */
  suggestLength: 100,
  ids: 100,
  fields: 100,
  facets: 20,
} as const

export const sortFields = [
  'id',
  'relevance',
  'brand',
  'retail_price_usd',
  'current_market_price',
  'updated_at',
] as const

/** In the order of the response. */
export const watchFields = [
  'id',
  'brand',
  'collection',
  'reference_number',
  'retail_price_usd',
  'current_market_price',
  'specs',
  'updated_at',
] as const

const prices: readonly Subject[] = ['retail_price_usd', 'current_market_price']
const texts: readonly Subject[] = ['brand', 'collection', 'reference_number']
const specOnly: readonly Subject[] = ['spec']
const ranged: readonly Subject[] = ['spec', ...prices]
const all: readonly Subject[] = ['spec', ...texts, ...prices]
const listed: readonly Subject[] = ['spec', ...texts]
/** The operators that take several values. */
const severals: readonly Operator[] = ['any', 'not']

export const operators: readonly OperatorRow[] = [
  {
    operator: 'is',
    suffix: undefined,
    written: 'spec[key]=value',
    oneLevel: 'spec[key]=value',
    value: 'text',
    subjects: all,
    meaning:
      'The value equals this one. Case and spacing do not matter, units are converted, and synonyms match.',
    example: 'spec[dial_color]=Black',
  },
  {
    operator: 'any',
    suffix: '',
    written: 'spec[key][]=value',
    oneLevel: 'spec[key:any]=value,value',
    value: 'text',
    subjects: listed,
    meaning: 'The value equals one of these values. Repeat the parameter for each value.',
    example: 'spec[dial_color][]=Black&spec[dial_color][]=Blue',
  },
  {
    operator: 'not',
    suffix: 'not',
    written: 'spec[key][not]=value',
    oneLevel: 'spec[key:not]=value',
    value: 'text',
    subjects: specOnly,
    meaning:
      'The watch has the key, but with a different value. Repeated as `spec[key][not][]`, with none of the values.',
    example: 'spec[movement_type][not]=Automatic',
  },
  range('gt', 'The value is greater than this number or quantity.', 'spec[case_diameter][gt]=44%20mm'),
  range('gte', 'The value is this number or quantity, or greater.', 'spec[water_resistance][gte]=300%20m'),
  range('lt', 'The value is less than this number or quantity.', 'spec[thickness][lt]=7%20mm'),
  range('lte', 'The value is this number or quantity, or less.', 'spec[case_diameter][lte]=3.6%20cm'),
  {
    operator: 'exists',
    suffix: 'exists',
    written: 'spec[key][exists]=true|false',
    oneLevel: 'spec[key:exists]=true|false',
    value: 'boolean',
    subjects: specOnly,
    meaning: 'With `true`, the watch has the key; with `false`, it does not.',
    example: 'spec[limited_edition][exists]=true',
  },
  {
    operator: 'exact',
    suffix: 'exact',
    written: 'spec[key][exact]=value',
    oneLevel: 'spec[key:exact]=value',
    value: 'text',
    subjects: specOnly,
    meaning: 'The value equals this text. Units and synonyms are ignored.',
    example: 'spec[movement_type][exact]=Hand-wound',
  },
]

const booleanChoices: readonly string[] = [...booleanTexts.true, ...booleanTexts.false]

export const listParameters: readonly ListParameter[] = [
  {
    name: 'page',
    type: 'integer',
    default: '1',
    max: pageMax,
    meaning:
      'The page number, starting at 1. A page past the end has no watches, but `total` is still correct.',
    example: 'page=2',
  },
  {
    name: 'per_page',
    type: 'integer',
    default: String(perPageDefault),
    max: perPageMax,
    meaning: 'The maximum number of watches per page. With `ids`, the default is their number.',
    example: 'per_page=100',
  },
  {
    name: 'after',
    type: 'integer',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    meaning:
      'Only the watches with a higher id, in the order of their ids: a list that is read like this misses nothing while the catalogue changes. The `next` URL of `Link` has it. `page` is then only the number that `meta` tells.',
    example: 'after=100',
  },
  {
    name: 'brand',
    type: 'string',
    max: queryLimits.valueLength,
    meaning:
      'The brand, by its name, slug or alias. Accents and punctuation may be left out. `brand[]=` repeated, or `brand:any=Rolex,Omega`, is any of several.',
    example: 'brand=Rolex',
  },
  {
    name: 'collection',
    type: 'string',
    max: queryLimits.valueLength,
    meaning: 'The collection, compared in the same way as spec values. `collection[]=` is any of several.',
    example: 'collection=Royal%20Oak',
  },
  {
    name: 'reference_number',
    type: 'string',
    max: queryLimits.valueLength,
    meaning:
      'The reference; case, spaces, dots, dashes and slashes do not matter. `reference_number[]=` is any of several.',
    example: 'reference_number=191032',
  },
  {
    name: 'retail_price_usd',
    type: 'number',
    meaning:
      'The retail price in US dollars; takes `[gt]`, `[gte]`, `[lt]` and `[lte]`, also as `:gt` and so on.',
    example: 'retail_price_usd[gte]=5000&retail_price_usd[lt]=10000',
  },
  {
    name: 'current_market_price',
    type: 'number',
    meaning: 'The current market price; takes `[gt]`, `[gte]`, `[lt]` and `[lte]`, also as `:gt` and so on.',
    example: 'current_market_price[lt]=999.5',
  },
  {
    name: 'ids',
    type: 'list of integers',
    max: queryLimits.ids,
    meaning: 'Only the watches with these ids.',
    example: 'ids=1,2,3',
  },
  {
    name: 'q',
    type: 'string',
    max: queryLimits.valueLength,
    meaning:
      'Words to find in brand, collection, reference, nickname and spec values. Typing mistakes, joined and split words, sizes and prices are understood; the last word may be only the beginning of one. If no watch has all words, the least telling ones are left out; `explain=1` tells how the text was read.',
    example: 'q=royal%20oak%20jum',
  },
  {
    name: 'sort',
    type: 'string',
    default: 'id',
    choices: sortFields.flatMap((field) => (field === 'relevance' ? [field] : [field, `-${field}`])),
    meaning:
      'The field to sort by. A leading `-` sorts in descending order. Ties are sorted by id; watches without a price come last. With `q`, the default is `relevance`: the best matches first.',
    example: 'sort=-retail_price_usd',
  },
  {
    name: 'fields',
    type: 'list of strings',
    max: queryLimits.fields,
    choices: [...watchFields, 'specs.<key>'],
    meaning: 'Keep only these fields of each watch.',
    example: 'fields=id,brand,specs.dial_color',
  },
  {
    name: 'facets',
    type: 'list of strings',
    max: queryLimits.facets,
    meaning:
      'Spec keys, `brand` or `collection`. For each, the response lists its values and how many watches have them. The counts apply every filter except those on that key itself. If a spec key is also called `brand` or `collection`, write `specs.<key>`.',
    example: 'facets=dial_color,brand',
  },
  {
    name: 'explain',
    type: 'boolean',
    default: 'false',
    choices: booleanChoices,
    meaning: 'The response also shows how each filter was read, such as `330 ft → 100 m`.',
    example: 'spec[water_resistance]=330%20ft&explain=1',
  },
  {
    name: 'strict',
    type: 'boolean',
    default: 'false',
    choices: booleanChoices,
    meaning:
      'A parameter that is not known, and a spec key that no watch has, are refused with 422. Without `strict`, they are named in `X-Unknown-Parameters` and `X-Unknown-Spec-Keys`.',
    example: 'spec[dial_color]=Black&strict=1',
  },
]

const bySuffix = new Map<string | undefined, OperatorRow>([
  ...operators.map((row) => [row.operator, row] as const),
  ...operators.map((row) => [row.suffix, row] as const),
])

function range(operator: Operator, meaning: string, example: string): OperatorRow {
  return {
    operator,
    suffix: operator,
    written: `spec[key][${operator}]=value`,
    oneLevel: `spec[key:${operator}]=value`,
    value: 'quantity',
    subjects: ranged,
    meaning,
    example,
  }
}

export function findSubject(name: string): Subject | undefined {
  return all.find((subject) => subject === name)
}

export function isPrice(subject: Subject): boolean {
  return prices.includes(subject)
}

/** Finds the operator in `path[at]`. Returns undefined if further brackets follow it. */
export function findOperator(subject: Subject, path: readonly string[], at: number): OperatorRow | undefined {
  const suffix = path[at]
  const row = bySuffix.get(isItem(suffix) ? '' : suffix)
  const isDeeper = path.length > at + 1
  // Libraries write a list below its operator: `spec[dial_color][not][]=Black`.
  const isList =
    path.length === at + 2 && isItem(path[at + 1]) && row !== undefined && takesSeveral(row.operator)
  if (isDeeper && !isList) return undefined
  return row?.subjects.includes(subject) ? row : undefined
}

export function takesSeveral(operator: Operator): boolean {
  return severals.includes(operator)
}

/** Returns the operators of a subject as `[gt]`, `[not]`, …; empty if the subject takes no brackets. */
export function bracketsOf(subject: Subject): string[] {
  return operators
    .filter(({ suffix, subjects }) => suffix !== undefined && subjects.includes(subject))
    .map(({ suffix }) => `[${suffix}]`)
}

/** The name of a filter's parameter: `spec[dial_color][not]` and, in one level, `spec[dial_color:not]`. */
export function parameterNames({ subject, key, operator }: Omit<Filter, 'values'>): {
  readonly nested: string
  readonly oneLevel: string
} {
  const suffix = operators.find((row) => row.operator === operator)?.suffix
  if (subject !== 'spec') {
    if (suffix === undefined) return { nested: subject, oneLevel: subject }
    return { nested: `${subject}[${suffix}]`, oneLevel: `${subject}:${operator}` }
  }
  const oneLevel = `spec[${key}:${operator}]`
  // The end of such a key would be read as an operator.
  if (pathOf(key).length > 1) return { nested: oneLevel, oneLevel }
  if (suffix === undefined) return { nested: `spec[${key}]`, oneLevel: `spec[${key}]` }
  return { nested: `spec[${key}][${suffix}]`, oneLevel }
}
