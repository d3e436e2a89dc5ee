// Distinguishes an object that only wraps a list (`{"total": 2, "data": […]}`) from a record that has a list among its
// values, from the text before and after the list.
import { parseJson } from './parse-json.ts'

/** Names of values that describe a list. So does every name that begins with `@`, as in JSON-LD. Case, `_` and `-` do not matter. */
const envelopeWords = new Set(
  `count total totalcount totalitems totalpages totalresults pages page pagenumber pagesize perpage limit offset size
  from to next previous prev first last self cursor nextcursor nextpage prevpage previouspage nexttoken hasmore hasnext
  hasprevious hasnextpage more status statuscode code success ok error majordimension range errors message meta metadata links version
  apiversion schema schemaversion $schema format generated generatedat generator exported exportedat exportdate
  timestamp asof took duration timedout terminatedearly maxscore scrollid requestid query currency language locale source license licence`.split(
    /\s+/,
  ),
)

export function isEnvelopeName(name: string): boolean {
  return name.startsWith('@') || envelopeWords.has(name.toLowerCase().replace(/[_-]/g, ''))
}

/** `text` is the outermost object up to the list, which is nested in `depth` objects. */
export function valuesBefore(text: string, depth: number): string[] {
  return valuesAlong(parseJson(`${text}]${'}'.repeat(depth)}`), depth, (object) => Object.keys(object).at(-1))
}

/** `text` is the text after the list. */
export function valuesBehind(text: string, depth: number): string[] {
  return valuesAlong(parseJson(`${'{"":'.repeat(depth)}[]${text}`), depth, () => '')
}

/** The names of plain values in the objects that wrap the list, without those that describe it. */
function valuesAlong(
  outermost: unknown,
  depth: number,
  innerKey: (object: object) => string | undefined,
): string[] {
  const names: string[] = []
  let value = outermost
  for (let level = 0; level < depth && typeof value === 'object' && value !== null; level++) {
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null || typeof inner === 'object') continue
      if (!isEnvelopeName(name)) names.push(name)
    }
    value = (value as Record<string, unknown>)[innerKey(value) ?? '']
  }
  return names
}
