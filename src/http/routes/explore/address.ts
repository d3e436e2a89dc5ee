// In charge of the addresses of the explorer: a query as parts, which are added, taken away and written down again, so
// that every link is a query of the API. What a part finds is not its business.
import { queryLimits } from '../../../search/query/operators.ts'
import { isLonger, watchNames } from '../../../search/query/parse-query.ts'
import { splitQuery } from '../../../search/query/query-string.ts'

/** One `name[path]=value`, decoded. */
export interface Part {
  readonly name: string
  readonly path: readonly string[]
  readonly value: string
}

/** What a form sends along: the query it leaves as it is, written as one text that no browser changes. */
const keepName = 'keep'
/** The ids of watches that are ticked to be compared. They are no part of a query, so the API is never told. */
export const tickedName = 'compare'
const formNames: readonly string[] = [...watchNames, keepName, tickedName]
/** More than fit side by side, so that one can tell which to leave out. */
const tickedMax = 20
/** Where nothing but white space is nothing at all; of a spec it may be the value. */
const rangeSuffixes: readonly string[] = ['gt', 'gte', 'lt', 'lte']

/** What the list knows of the query; whatever else stands in it means nothing. */
export function readParts(written: string): readonly Part[] {
  return splitQuery(written, watchNames).map(({ name, path, value }) => ({ name, path, value }))
}

/** What the links of a page begin with: the query, and what is ticked. */
export function readLinks(written: string): readonly Part[] {
  return [...readParts(written), ...tickedParts(readTicked(written))]
}

/** Whatever is no id is left out. */
export function readTicked(written: string): readonly number[] {
  const items = new URLSearchParams(written).getAll(tickedName).flatMap((value) => value.split(','))
  return [...new Set(items.filter(isId).map(Number))].slice(0, tickedMax)
}

export function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

/** What keeps them ticked at the next address. */
export function tickedParts(ids: readonly number[]): readonly Part[] {
  return ids.length === 0 ? [] : [{ name: tickedName, path: [], value: ids.join(',') }]
}

/** The address that a form means: without its empty fields, with what it keeps. Undefined where it is that already. */
export function findCleanQuery(written: string): string | undefined {
  const kept: string[] = []
  const ticked: string[] = []
  let isClean = true
  for (const raw of written.split('&')) {
    const [part] = splitQuery(raw, formNames)
    if (part === undefined) continue
    const isFaulty = part.fault !== undefined
    if (part.name === keepName && !isFaulty) kept.push(part.value)
    else if (part.name === tickedName) ticked.push(raw)
    else if (isFaulty || !isEmpty(part)) kept.push(raw)
    if (!isFaulty && (part.name === keepName || isEmpty(part))) isClean = false
  }
  if (isClean && ticked.length < 2) return undefined
  // Boxes that are ticked come one by one.
  kept.push(queryOf(tickedParts(readTicked(ticked.join('&')))))
  const query = kept.filter((raw) => raw !== '').join('&')
  // It becomes a header: what a form kept may hold anything.
  return query.replace(/[^!-~]/gu, encode)
}

export function addressOf(path: string, parts: readonly Part[]): string {
  return parts.length === 0 ? path : `${path}?${queryOf(parts)}`
}

/** Brackets stay as they are, what is within them is encoded: so a key may hold anything. */
export function queryOf(parts: readonly Part[]): string {
  return parts
    .map(
      ({ name, path, value }) =>
        `${name}${path.map((inner) => `[${encode(inner)}]`).join('')}=${encode(value)}`,
    )
    .join('&')
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27').replaceAll('%2C', ',')
}

export function withoutTicked(parts: readonly Part[]): readonly Part[] {
  return withoutName(parts, tickedName)
}

/** Without the page: whoever asks for something else begins at its first. */
export function withoutPage(parts: readonly Part[]): readonly Part[] {
  return parts.filter(({ name }) => name !== 'page')
}

export function withoutSpec(parts: readonly Part[], key: string): readonly Part[] {
  return parts.filter(({ name, path }) => name !== 'spec' || path[0] !== key)
}

export function withoutName(parts: readonly Part[], wanted: string): readonly Part[] {
  return parts.filter(({ name }) => name !== wanted)
}

/** One value is plain, several are any of them. */
export function specParts(key: string, values: readonly string[]): readonly Part[] {
  const path = values.length === 1 ? [key] : [key, '']
  return values.map((value) => ({ name: 'spec', path, value }))
}

/** Whether a stored value can stand in a query; not all can, since what is stored has no limits. */
export function canBeAsked(value: string, key = 'x'): boolean {
  return (
    key !== '' &&
    value !== '' &&
    key.isWellFormed() &&
    value.isWellFormed() &&
    !isLonger(key, queryLimits.keyLength) &&
    !isLonger(value, queryLimits.valueLength)
  )
}

/** Browsers write names of fields in their own way: these two would come back as another key. */
export function survivesForm(key: string): boolean {
  return canBeAsked('x', key) && !/\]\[|[\r\n]/.test(key)
}

function isEmpty({ name, path, value }: Part): boolean {
  const isLoose = name !== 'spec' || rangeSuffixes.includes(path.at(1) ?? '')
  return (isLoose ? value.trim() : value) === ''
}
