// Makes columns of the lists in a record: of pairs of name and value, of one object, of one value, and of prices. Other
// lists are values. Texts that hold several values are read likewise.
import { findScale } from '../../specs/units.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import { readColumnName, specKeyOf } from '../mapping/column-names.ts'
import { nameOf, noOption, readGroups, readPairs } from './list-pairs.ts'
import { readMeasure } from './measures.ts'
import { attributesHolder, isObject, type Members, type NamedCell, priceNameIn } from './named-cells.ts'
import { measureText, unpackText } from './packed-texts.ts'
import { choosePrice, isPriceHolder, joinedPrices, typedPrices } from './price-lists.ts'
import { findDict, findPlainJson } from './python-dict.ts'
import { isQuantity } from './unit-columns.ts'

/** Objects and lists inside a list are read up to this depth; deeper ones are values. */
const depthMax = 4
/** A list with more members stays a list. */
const membersMax = 1_000
/** Lists by nature: a watch with one picture has the same column as the others. */
const alwaysLists =
  /(?:^|\.)_?(?:images?|photos?|pictures?|media|gallery|videos?|tags|categories|collections|reviews?|related\w*|similar\w*|breadcrumbs?)$/i
/** Lists of what becomes columns: an empty one says nothing. */
const holders =
  /(?:^|\.)(?:attributes|properties|additional_?propert(?:y|ies)|specifications|metafields|options|offers|prices|price_range|variants|edges|nodes)$/i
/** Numbers that are never text. */
const numericKey = /(?:^|_)(?:year|jewels)(?:_|$)/
/** The only member of an object that stands for its name. */
const nameOnly = /^(?:name|label|title)$/i
/** An option of a variant. */
const selectedOption = /^\.selected_?options\.(.+)$/is
const knownMax = 10_000

type Single = 'price' | 'name' | 'measure' | undefined
const singles = new Map<string, Single>()

/** The longest placeholder for no value, such as `None`. */
const nothingCharsMax = 4

/** Whether a cell stays as it is. Quick, because this is asked of every cell: most lists are of several texts. */
export function isPlainCell(name: string, cell: unknown): boolean {
  if (cell === null) return !holders.test(name)
  if (!Array.isArray(cell)) return true
  const isText = (value: unknown) =>
    typeof value === 'string' && (value.length > nothingCharsMax || !isNothing(value))
  return cell.length > 1 && cell.every(isText) && singleOf(name) !== 'price'
}

/** Returns the cells that a cell becomes: itself, if it is no list that can be unpacked. */
export function unpackCell(one: NamedCell, depth = 0): readonly NamedCell[] {
  const { cell } = one
  if (cell === null && holders.test(one.name)) return []
  if (typeof cell === 'string') return unpackDict(one, cell) ?? unpackText(one, cell)
  if (!Array.isArray(cell) || depth >= depthMax) return [one]
  const values = cell.filter((value) => !isNothing(value))
  if (values.length === 0) return cell.length === 0 && !holders.test(one.name) ? [one] : []
  if (!values.every(isObject)) return unpackValues(one, values)
  // A list under `specs.<key>` is the value of that spec.
  if (one.name.startsWith('specs.')) return [one]
  const { name, objects } = withoutNodes(one.name, values)
  return unpackObjects(one, name, objects, depth)
}

/** The members of an object as cells. An amount with its unit or currency is one cell. */
function unpackObject(name: string, object: Members, depth: number): NamedCell[] {
  const found = readMeasure(object)
  const measure = found?.isMoney || (found && isQuantity(name, found)) ? found : undefined
  const amountName = measure?.isMoney ? priceNameIn(name) : name
  const cells: NamedCell[] = measure === undefined ? [] : [{ name: amountName, cell: measure.text }]
  for (const [key, value] of Object.entries(measure?.others ?? object)) {
    const member = `${name}.${key}`
    if (isObject(value) && depth < depthMax) cells.push(...unpackObject(member, value, depth + 1))
    else cells.push(...unpackCell({ name: member, cell: value }, depth + 1))
  }
  return cells
}

/** Columns in which a program writes JSON that holds the values of a watch. In others, it is a text. */
const jsonHolders =
  /(?:^|[._ -])(?:spec[a-z]*|attr[a-z]*|propert(?:y|ies)|details?|features?|characteristics?|options?|param[a-z]*|additional|technical|case|movement|dial|bracelet|strap|dimensions?|prices?|pricing|offers?|merkmale|eigenschaften)(?:_jsonb?)?$/i

/** Undefined if the text is no object, or is one amount. JSON in `specs` is the document of all specs. */
function unpackDict(one: NamedCell, text: string): readonly NamedCell[] | undefined {
  if (one.name.startsWith('specs.')) return undefined
  const isSpecs = one.name === 'specs'
  const json = !isSpecs && jsonHolders.test(one.name) ? findPlainJson(text) : undefined
  const members = json ?? findDict(text)
  if (members === undefined || measureText(text) !== text) return undefined
  return unpackObject(isSpecs ? attributesHolder : one.name, members, 0)
}

/**
 * The members of one variant of a Shopify product: the names of `option1` to `option3` stand in the options of the
 * product. GraphQL names the options of each variant.
 */
export function unpackVariant(name: string, variant: Members, options: unknown): NamedCell[] {
  const names = Array.isArray(options) ? options.map((one) => (isObject(one) ? nameOf(one.name) : '')) : []
  return unpackObject(name, variant, 1).flatMap((one) => {
    if (one.cell === noOption) return []
    const [, own] = selectedOption.exec(one.name.slice(name.length)) ?? []
    if (own !== undefined) return [{ name: `options.${own}`, cell: one.cell }]
    const [, number] = /\.option([123])$/.exec(one.name) ?? []
    if (number !== undefined && isNothing(one.cell)) return []
    const option = number === undefined ? '' : (names[Number(number) - 1] ?? '')
    return option === '' ? [one] : [{ name: `options.${option}`, cell: one.cell }]
  })
}

function unpackObjects(
  one: NamedCell,
  name: string,
  objects: readonly Members[],
  depth: number,
): readonly NamedCell[] {
  const texts = namesIn(objects)
  if (texts !== undefined) return unpackValues({ name, cell: texts }, texts)
  const found = readPairs(objects) ?? readGroups(objects)
  if (found !== undefined) {
    const holder = name === 'specs' ? attributesHolder : name
    const pairs = found.pairs.map((pair) => ({ name: `${holder}.${pair.name}`, cell: pair.value }))
    return found.isWhole ? pairs : [one, ...pairs]
  }
  const [only] = objects
  if (only !== undefined && objects.length === 1) {
    return alwaysLists.test(name) ? [one] : unpackObject(name, only, depth + 1)
  }
  const whole = alwaysLists.test(name) ? undefined : wholeOf(objects)
  if (whole !== undefined) return unpackObject(name, whole, depth + 1)
  const typed = isPriceHolder(name) ? typedPrices(objects) : undefined
  if (typed !== undefined)
    return [...typed.map((price) => ({ name: `${name}.${price.type}`, cell: price.text })), one]
  const price = isPriceHolder(name) ? choosePrice(objects) : undefined
  if (price === undefined) return [one]
  const target = priceNameIn(name)
  // The list itself stays as a spec, under another name than the price.
  const list = target === one.name ? { name: `${name}.all`, cell: one.cell } : one
  return [{ name: target, cell: price }, list]
}

/** `[{"name": "Date"}, {"name": "GMT"}]` is a list of two texts. */
function namesIn(objects: readonly Members[]): string[] | undefined {
  const texts = objects.map((object) => {
    const [[key, value] = [], ...others] = Object.entries(object)
    return others.length === 0 && nameOnly.test(key ?? '') && typeof value === 'string' ? value : undefined
  })
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** One object of all members, if no two objects share one: `[{"Diameter": "40 mm"}, {"Material": "Steel"}]`. */
function wholeOf(objects: readonly Members[]): Members | undefined {
  const members = objects.flatMap((object) => Object.entries(object))
  const names = new Set(members.map(([key]) => key))
  return names.size === members.length && names.size <= membersMax ? Object.fromEntries(members) : undefined
}

/** The lists of GraphQL: `{"edges": [{"node": {…}}]}` and `{"nodes": [{…}]}`. */
function withoutNodes(name: string, objects: readonly Members[]): { name: string; objects: Members[] } {
  const nodes = objects.map(({ node }) => node)
  const areNodes = nodes.some(isObject) && nodes.every((node) => node === null || isObject(node))
  const inner = areNodes ? nodes.filter(isObject) : objects
  return { name: name.replace(/\.(?:edges|nodes)$/, ''), objects: [...inner] }
}

/** One value is the value of a field, of a quantity or of a number. Several prices are no price. */
function unpackValues(one: NamedCell, values: readonly unknown[]): readonly NamedCell[] {
  const [only] = values
  const single = singleOf(one.name)
  if (typeof only === 'object') return [one]
  const isOne = values.length === 1 && (single !== undefined || typeof only === 'number')
  if (isOne) return [{ ...one, cell: only }]
  const isTold = single === 'price' && values.every((value) => typeof value !== 'object')
  return isTold ? [{ ...one, cell: joinedPrices(values.map((value) => cellText(value).trim())) }] : [one]
}

/** What a column by this name has one of. */
function singleOf(name: string): Single {
  if (singles.has(name)) return singles.get(name)
  if (singles.size === knownMax) singles.clear()
  const { to = '', key: own } = readColumnName(name)
  const key = specKeyOf(to) ?? own
  const isMeasure = findScale(key) !== undefined || numericKey.test(key)
  const isSpec = to === '' || specKeyOf(to) !== undefined
  const isPrice = to.endsWith('_price') || to.endsWith('_price_usd')
  const single = !isSpec ? (isPrice ? 'price' : 'name') : isMeasure ? 'measure' : undefined
  singles.set(name, single)
  return single
}
