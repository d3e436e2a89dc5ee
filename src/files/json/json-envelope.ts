// In charge of telling an object that only wraps a list (`{"total": 2, "data": […]}`) from a record that has one among its
// values. It is asked with what stands before the list and with what stands behind it.
import { parseJson } from './read-ndjson.ts'

/** What is said about a list, without regard to case, `_` and `-`. */
const envelopeWords = new Set(
  `count total totalcount totalitems totalpages totalresults pages page pagenumber pagesize perpage limit offset size
  from to next previous prev first last self cursor nextcursor nextpage prevpage previouspage nexttoken hasmore hasnext
  hasprevious hasnextpage more status statuscode code success ok error errors message meta metadata links version
  apiversion schema schemaversion $schema format generated generatedat generator exported exportedat exportdate
  timestamp asof took duration requestid query currency language locale source license licence`.split(/\s+/),
)

/** `text` is the outermost object as far as the list, which lies in `depth` objects. */
export function valuesBefore(text: string, depth: number): string[] {
  return valuesAlong(parseJson(`${text}]${'}'.repeat(depth)}`), depth, (object) => Object.keys(object).at(-1))
}

/** `text` is what follows the list. */
export function valuesBehind(text: string, depth: number): string[] {
  return valuesAlong(parseJson(`${'{"":'.repeat(depth)}[]${text}`), depth, () => '')
}

/** The names of plain values in the objects that lead to the list. */
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
      if (!envelopeWords.has(name.toLowerCase().replace(/[_-]/g, ''))) names.push(name)
    }
    value = (value as Record<string, unknown>)[innerKey(value) ?? '']
  }
  return names
}
