// Finds the parameters of a request that its operation does not know, and what each may have meant: they are ignored, so
// a mistyped filter would otherwise select everything without a word. With `strict=1` they are refused.
import { Problem } from '../../errors.ts'
import { meantOperator, splitMeant } from '../../search/query/meant-operators.ts'
import type { Operator } from '../../search/query/one-level.ts'
import { findSubject, parameterNames } from '../../search/query/operators.ts'
import { choiceOf, parseGiven, readBoolean, spoken } from '../../search/query/parameters.ts'
import { splitQuery, unknownNames } from '../../search/query/query-string.ts'
import type { Subject } from '../../search/query/watch-query.ts'
import { findNearest } from '../../specs/near-texts.ts'

/** The parameter that every operation knows. */
export const strictName = 'strict'
const strictNames: readonly string[] = [strictName]
const nothing: Readonly<Record<string, string>> = {}
/** Parameters that are named in one response, and characters of each. */
const toldMax = 10
const toldLength = 64

/** What other APIs call our parameters. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  per_page: ['limit', 'page_size', 'size', 'count', 'take', 'rows', 'results', 'max_results', 'first', 'top'],
  limit: ['per_page', 'page_size', 'size', 'count', 'take'],
  page: ['p', 'page_number', 'page_no', 'pagenum', 'current_page', 'offset', 'skip', 'start'],
  after: ['cursor', 'starting_after', 'since_id', 'after_id'],
  since: ['cursor', 'after', 'from', 'offset'],
  q: ['query', 'search', 'keyword', 'keywords', 'term', 'text', 's', 'name'],
  sort: ['order', 'order_by', 'sort_by', 'sort_order', 'orderby', 'ordering'],
  ids: ['id', 'watch_id', 'watch_ids'],
  fields: ['select', 'include', 'only', 'columns', 'field'],
  facets: ['facet', 'group_by', 'aggregations', 'aggs'],
  types: ['type', 'events', 'event_types'],
  reference_number: ['reference', 'ref', 'model_number', 'sku'],
  collection: ['model', 'family', 'series'],
  brand: ['brand_name', 'manufacturer', 'make', 'maker'],
  retail_price_usd: ['retail_price', 'msrp', 'list_price'],
  current_market_price: ['market_price', 'price'],
  'current_market_price:gte': ['min_price', 'price_min', 'price_from', 'price_gte'],
  'current_market_price:lte': ['max_price', 'price_max', 'price_to', 'price_lte'],
  spec: ['filter', 'filters', 'where'],
}

interface Unknown {
  readonly name: string
  readonly suggestion: string | undefined
}

/** What a request may say: the names of its parameters, and the spec keys that some watch has. */
interface Known {
  readonly names: readonly string[]
  readonly hasKey: (key: string) => boolean
}

/** Returns the header that names what was ignored, or none. `names` must include `strict`. Throws a 422 that does so where the query is strict. */
export function checkParameters(rawQuery: string, known: Known): Readonly<Record<string, string>> {
  const { names } = known
  const isStrict = readStrict(rawQuery)
  const found = unknownNames(rawQuery, names, toldMax)
  if (found.length === 0) return nothing
  const unknown = found.map((name) => ({
    name: name.length > toldLength ? name.slice(0, toldLength).toWellFormed() : name,
    suggestion: findMeant(name, known),
  }))
  if (isStrict) throw new Problem('invalid', { errors: errorsOf(unknown, names) })
  return { 'x-unknown-parameters': unknown.map(hinted).join(', ') }
}

function readStrict(rawQuery: string): boolean {
  if (!rawQuery.includes(strictName)) return false
  // The faults of other parameters are told by the operation, all at once.
  const own = splitQuery(rawQuery, strictNames).filter(({ name }) => name === strictName)
  return parseGiven(own, (given, errors) => readBoolean(given, strictName, errors))
}

function errorsOf(unknown: readonly Unknown[], names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    unknown.map(({ name, suggestion }) => {
      const hint =
        suggestion === undefined ? `the parameters are ${choiceOf(names)}` : `${suggestion} may be meant`
      return [name, [`The ${spoken(name)} is not known: ${hint}.`]]
    }),
  )
}

function hinted({ name, suggestion }: Unknown): string {
  return encode(name) + (suggestion === undefined ? '' : `; did_you_mean=${encode(suggestion)}`)
}

/** Leaves brackets and colons as they are: they are what the caller wrote, and mean nothing in this header. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%3A', ':')
}

function findMeant(name: string, { names, hasKey }: Known): string | undefined {
  const plain = snakeCased(name)
  if (names.includes('spec')) {
    const meant = specOf(name, hasKey) ?? rangeOf(name, names)
    if (meant !== undefined) return meant
  }
  if (names.includes(plain)) return plain
  const isKnown = (known: string) => names.includes(known.split(':')[0] ?? known)
  const other = Object.keys(otherNames).find((known) => isKnown(known) && otherNames[known]?.includes(plain))
  return other ?? findNearest(plain, names)
}

/** The filter that `specs[dial_color]`, `spec.dial_color`, `dial_color` or `dial_color__gte` stands for. */
function specOf(name: string, hasKey: (key: string) => boolean): string | undefined {
  const parts = partsOf(name)
  const inner = parts.length > 1 && !hasKey(parts[0] ?? '') ? parts.slice(1) : parts
  const [key = '', word = 'is', ...others] = inner
  if (others.length > 0) return undefined
  for (const known of [key, snakeCased(key)]) {
    if (hasKey(known)) return oneLevelOf('spec', known, meantOperator(word) ?? 'is')
    const split = splitMeant(known, hasKey)
    if (split !== undefined) return oneLevelOf('spec', ...split)
  }
  return undefined
}

/** The range that `retail_price_usd__gte` or `retail_price_usd.min` stands for. */
function rangeOf(name: string, names: readonly string[]): string | undefined {
  const isField = (field: string) => names.includes(field) && findSubject(field) !== undefined
  const [field = '', word = ''] = partsOf(snakeCased(name))
  const operator = meantOperator(word)
  const [subject, meant] =
    isField(field) && operator !== undefined ? [field, operator] : (splitMeant(field, isField) ?? [])
  const found = findSubject(subject ?? '')
  return found === undefined || meant === undefined ? undefined : oneLevelOf(found, found, meant)
}

function partsOf(name: string): readonly string[] {
  return name.split(/[[\].:]+|__/).filter((part) => part !== '')
}

function oneLevelOf(subject: Subject, key: string, operator: Operator): string {
  return parameterNames({ subject, key, operator }).oneLevel
}

function snakeCased(name: string): string {
  return name
    .replace(/[a-z\d](?=[A-Z])/g, '$&_')
    .replaceAll('-', '_')
    .toLowerCase()
}
