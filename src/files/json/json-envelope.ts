// Distinguishes an object that only wraps a list (`{"total": 2, "data": […]}`) from a record that has a list among its
// values, and the list of records from those beside it, from the text before and after the list.
import { parseJson } from './parse-json.ts'

/** What surrounds a list. */
export interface Wrapper {
  /** The names that lead to the list. */
  readonly path: readonly string[]
  /** The names of plain values beside it that may be those of a record. */
  readonly values: readonly string[]
  /** What a value says of the currency of all records. */
  readonly currency: string | undefined
}

/** Names of ignored values that are reported. */
const besideNamesMax = 5

/** Names of values that describe a list. So does every name that begins with `@`, as in JSON-LD. Case, `_` and `-` do not matter. */
const envelopeWords = setOf(
  `count total totalcount totalitems totalpages totalresults pages page pagenumber pagesize perpage limit offset size
  from to next previous prev first last self cursor nextcursor nextpage prevpage previouspage nexttoken hasmore hasnext
  hasprevious hasnextpage more status statuscode code success ok error majordimension range errors message meta metadata links version
  apiversion schema schemaversion $schema format generated generatedat generator exported exportedat exportdate
  timestamp numberofitems itemcount asof took duration timedout terminatedearly maxscore scrollid requestid query currency language locale source license licence`,
)
/** Names of numbers and texts that describe a list. Objects and lists by these names may hold records. */
const envelopeValueWords = setOf(
  `skip start numfound facets aggregations filters sort tookms rows numrowstotal numrowsperpage partial`,
)

/** Values that describe a list of records. Beside any other list, they may be those of a record. */
const titleWords = setOf(
  'title name description updated updatedat lastupdated modified modifiedat date created createdat url id',
)
const recordLists = setOf('products watches listings items itemlistelement records results')
/** Names of lists, and of objects around them, that are no records if there is another list. */
const otherLists = setOf(
  `filters facets aggregations aggs breadcrumb breadcrumbs schema fields columns headers navigation nav menu menus sort sorts
  sorting sortoptions sortby categories brands tags currencies languages banners errors warnings messages notices links
  pagination included features suggestions stores shops dealers sellers users authors countries locations images attributes options`,
)
const currencyWords = setOf('currency currencycode pricecurrency')

export function isEnvelopeName(name: string): boolean {
  return name.startsWith('@') || envelopeWords.has(folded(name))
}

/** Whether a number or a text by this name describes a list. */
export function isEnvelopeValue(name: string): boolean {
  return isEnvelopeName(name) || envelopeValueWords.has(folded(name))
}

export function isCurrencyWord(name: string): boolean {
  return currencyWords.has(folded(name))
}

/** The names of what stands beside the list at the path and is not read. */
export function valuesAlong(value: object, path: readonly string[]): readonly string[] {
  const lists = Object.entries(value).filter(
    ([name, one]) =>
      name !== path[0] && Array.isArray(one) && typeof one[0] === 'object' && !isOtherList([name]),
  )
  const { values } = wrapperAlong(value, path.length, (_, level) => path[level])
  return [...values, ...lists.map(([name]) => name)]
}

/** What is told of values beside a list; undefined if none of them is worth it. */
export function tellBeside(names: readonly string[]): string | undefined {
  const told = names.filter((name) => !isTitleName(name))
  if (told.length === 0) return undefined
  const shown = told.slice(0, besideNamesMax).map((name) => `"${name}"`)
  if (told.length > besideNamesMax) shown.push('more')
  return `it has ${shown.join(', ')} beside the list of records, which is not read`
}

/** Whether a value by this name says nothing about the records beside it. */
function isTitleName(name: string): boolean {
  return titleWords.has(folded(name))
}

/** Whether the list at this path is none of records, so that another list is looked for. */
export function isOtherList(path: readonly string[]): boolean {
  const isNamed = recordLists.has(folded(path.at(-1) ?? ''))
  return !isNamed && path.some((name) => otherLists.has(folded(name)))
}

/** `text` is the outermost object up to the list, which is nested in `depth` objects. */
export function wrapperBefore(text: string, depth: number): Wrapper {
  return wrapperAlong(parseJson(`${text}]${'}'.repeat(depth)}`), depth, (object) =>
    Object.keys(object).at(-1),
  )
}

/** `text` is the text after the list. */
export function wrapperBehind(text: string, depth: number): Wrapper {
  return wrapperAlong(parseJson(`${'{"":'.repeat(depth)}[]${text}`), depth, () => '')
}

/** The names of plain values of an object that may be those of a record. */
export function valuesOf(text: string): readonly string[] {
  return wrapperAlong(parseJson(text), 1, () => '').values
}

/** The path of a further list. `text` is the text to it from a list that `holders` still hold. */
export function pathBehind(text: string, holders: readonly string[], depth: number): readonly string[] {
  const before = holders.map((name) => `{${JSON.stringify(name)}:`).join('')
  return wrapperBefore(`${before}[]${text}`, depth).path
}

function wrapperAlong(
  outermost: unknown,
  depth: number,
  innerKey: (object: object, level: number) => string | undefined,
): Wrapper {
  const path: string[] = []
  const beside: string[] = []
  let currency: string | undefined
  let value = outermost
  for (let level = 0; level < depth && typeof value === 'object' && value !== null; level++) {
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null || typeof inner === 'object') continue
      if (!isEnvelopeValue(name)) beside.push(name)
      if (typeof inner === 'string' && isCurrencyWord(name)) currency = `${name}: ${inner}`
    }
    const key = innerKey(value, level) ?? ''
    path.push(key)
    value = (value as Record<string, unknown>)[key]
  }
  const isOfRecords = recordLists.has(folded(path.at(-1) ?? ''))
  return { path, values: isOfRecords ? beside.filter((name) => !isTitleName(name)) : beside, currency }
}

export function folded(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

export function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/))
}
