// Finds the one list of watches in an object that is no watch itself, whatever other values it has: the page of an API.
import { folded, isOtherList, setOf } from './json-envelope.ts'
import { isObject } from './json-table.ts'

/** How many objects may wrap the list. */
export const listDepthMax = 4
/** Names of lists that hold the records of a page. */
export const pageLists = setOf(
  'data items results records products watches listings hits docs rows entries list inventory stock catalog catalogue',
)
/** How the names of brands and references begin, in the languages of the trade. */
const brandName =
  /^(?:brand|marke(?!t)|marque|marca|merk|märke|maker?$|manufactur|hersteller|vendor|produc(?:er|ent|teur)|fabri[ck]|бренд|марка|производитель|品牌|ブランド|メーカー|브랜드)/u
const referenceName =
  /^(?:ref(?!resh|und|err)|réf|riferimento|mod[eè]l(?:l?e?|l?o)(?:n(?:umber|ummer|um|o|r|úmero)|id)$|mpn|артикул|референс|型番|型号|型號|品番|레퍼런스)/u
/** Names of values that only a watch has, and no list of watches: `watch_brand`, `asking_price`. */
const watchWords = setOf('model modelname sku gtin ean lot')
const watchName =
  /brand|marque|hersteller|manufactur|(?:watch|item|product|article|model)ref|price|preis|prix|prezzo|precio|estimate|hammer/u
/** Names of values that describe a list by one of the names of records; beside any other, they are those of a watch. */
const productWords = setOf('id name title description handle slug images image variants offers condition')

/** The path to the one list of watches in an object that is none, whatever its values say. */
export function pathOfWatches(value: unknown): readonly string[] | undefined {
  const found = pathsOfWatches(value, 1)
  if (found.length === 0 || isWatch(value, 1)) return undefined
  const named = found.filter((path) => isPageList(path.at(-1) ?? ''))
  const [path, another] = named.length > 0 ? named : found
  const mayBeProduct =
    named.length === 0 && Object.keys(value as object).some((name) => productWords.has(folded(name)))
  return another === undefined && !mayBeProduct ? path : undefined
}

function pathsOfWatches(value: unknown, depth: number): (readonly string[])[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => {
    if (Array.isArray(one)) return areWatches(name, one) ? [[name]] : []
    return depth < listDepthMax ? pathsOfWatches(one, depth + 1).map((path) => [name, ...path]) : []
  })
}

/** Whether the object, or one inside it, says of itself what a watch does: its list is of similar ones. */
function isWatch(value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > listDepthMax) return false
  return Object.entries(value).some(
    ([name, one]) =>
      !Array.isArray(one) && !isOtherList([name]) && (isWatchName(name) || isWatch(one, depth + 1)),
  )
}

/** A list by any other name than those of records may be of what belongs to a watch, such as its offers. */
function areWatches(name: string, list: readonly unknown[]): boolean {
  const [first] = list
  if (!isObject(first) || !list.every(isObject)) return false
  const names = Object.keys(first).map(lettersOf)
  const hasBrand = names.some((one) => brandName.test(one))
  const hasReference = names.some((one) => referenceName.test(one))
  return isPageList(name) ? hasBrand || hasReference : hasBrand && hasReference
}

function isPageList(name: string): boolean {
  return pageLists.has(folded(name))
}

function isWatchName(name: string): boolean {
  const letters = lettersOf(name)
  if (watchName.test(letters) || watchWords.has(letters)) return true
  return brandName.test(letters) || referenceName.test(letters)
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '')
}
