// Reads a list of pairs of name and value, such as `[{"name": "Case material", "value": "Steel"}]`.
import { cleanCell, isNothing } from '../cells/clean-text.ts'
import { readMeasure } from './measures.ts'
import { isObject, type Members } from './named-cells.ts'
import { measureText } from './packed-texts.ts'

interface Pair {
  readonly name: string
  readonly value: unknown
}

interface Pairs {
  readonly pairs: readonly Pair[]
  /** Whether the pairs say all that the list says. */
  readonly isWhole: boolean
}

const nameKeys = [
  ...['name', 'label', 'title', 'attribute_name', 'attributeName', 'property_name', 'propertyName'],
  ...['attribute', 'property', 'key'],
] as const
const valueKeys = [
  ...['value', 'values', 'val', 'attribute_value', 'attributeValue', 'property_value', 'propertyValue'],
  ...['options', 'option', 'terms'],
] as const
/** Members that name the group of a pair, such as the section of a Google feed. */
const sectionKeys = ['section_name', 'sectionName', 'section', 'group_name', 'groupName', 'group'] as const
const groupKeys = [...sectionKeys, 'heading', 'category', ...nameKeys] as const
const unitKeys = ['unit', 'unitText', 'unitCode', 'uom'] as const
/** Members of a pair that say nothing about the watch. */
const idleKeys: ReadonlySet<string> = new Set(
  `@type __typename id key slug namespace type position visible variation global description taxonomy
  has_variations sort_order sortOrder order display_order displayOrder locale scope is_visible isVisible filterable
  is_filterable isFilterable searchable is_searchable isSearchable`.split(/\s+/),
)
/** Members of a value that say nothing besides its text. */
const idleValueKeys: ReadonlySet<string> = new Set('@type __typename id key slug default link'.split(' '))
const textKeys = ['label', 'name'] as const
const language = /^[a-z]{2}(?:[-_][A-Z]{2})?$/
const pairsMax = 1_000
/** The value of a Shopify product without options. */
export const noOption = 'Default Title'

/** Undefined if the list is not made of pairs. A pair without a value says nothing. */
export function readPairs(list: readonly unknown[]): Pairs | undefined {
  const objects = list.filter((one) => one !== null)
  if (objects.length === 0 || objects.length > pairsMax || !objects.every(isObject)) return undefined
  if (!objects.some((one) => valueKeyOf(one) !== undefined)) return undefined
  const pairs: Pair[] = []
  let isWhole = true
  for (const one of objects) {
    const nameKey = nameKeys.find((key) => nameOf(one[key]) !== '')
    if (nameKey === undefined) return undefined
    const valueKey = valueKeyOf(one)
    const { [nameKey]: name, [valueKey ?? '']: raw, ...others } = one
    const sectionKey = sectionKeys.find((key) => nameOf(one[key]) !== '')
    const isSaid = (key: string) =>
      key === sectionKey || idleKeys.has(key) || isUnitKey(key) || others[key] === null
    isWhole &&= Object.keys(others).every(isSaid)
    const { value, isAll } = plainValue(raw)
    isWhole &&= isAll
    if (isNothing(value) || value === noOption) continue
    const section = sectionKey === undefined ? '' : `${nameOf(one[sectionKey])}.`
    pairs.push({ name: section + nameOf(name), value: withUnit(value, others) })
  }
  return { pairs, isWhole }
}

/**
 * Reads pairs in groups, such as `[{"group": "Case", "attributes": [{"name": "Diameter", "value": "40 mm"}]}]`. Undefined if
 * the list says anything else: it may be of other watches.
 */
export function readGroups(list: readonly Members[]): Pairs | undefined {
  const groups = list.map(readGroup)
  if (!groups.every((group) => group !== undefined)) return undefined
  const pairs = groups.flat()
  return pairs.length > pairsMax ? undefined : { pairs, isWhole: true }
}

function readGroup(one: Members): readonly Pair[] | undefined {
  const nameKey = groupKeys.find((key) => nameOf(one[key]) !== '')
  const { [nameKey ?? '']: name, ...others } = one
  const [inner, another] = Object.entries(others).filter(([key]) => !idleKeys.has(key))
  const found = Array.isArray(inner?.[1]) && another === undefined ? readPairs(inner[1]) : undefined
  if (nameKey === undefined || found?.isWhole !== true) return undefined
  return found.pairs.map((pair) => ({ ...pair, name: `${nameOf(name)}.${pair.name}` }))
}

/** The name of a pair; empty if the cell is none. */
export function nameOf(cell: unknown): string {
  return typeof cell === 'string' ? cleanCell(cell) : ''
}

function valueKeyOf(one: Members): string | undefined {
  const key = valueKeys.find((name) => Object.hasOwn(one, name))
  // Reviews have a title and a text, too.
  return key ?? (Object.hasOwn(one, 'label') && Object.hasOwn(one, 'text') ? 'text' : undefined)
}

function isUnitKey(key: string): boolean {
  return (unitKeys as readonly string[]).includes(key)
}

/** `isAll`: the value says all that the object said. */
function plainValue(raw: unknown): { value: unknown; isAll: boolean } {
  if (Array.isArray(raw)) {
    const values = raw.map(plainValue)
    const list = values.map(({ value }) => value)
    return { value: list.length === 1 ? list[0] : list, isAll: values.every(({ isAll }) => isAll) }
  }
  if (!isObject(raw)) return { value: typeof raw === 'string' ? measureText(raw) : raw, isAll: true }
  const measure = readMeasure(raw)
  if (measure !== undefined) return { value: measure.text, isAll: Object.keys(measure.others).length === 0 }
  const textKey = textKeys.find((key) => !isNothing(raw[key]))
  if (textKey !== undefined) {
    const isAll = Object.keys(raw).every((key) => key === textKey || idleValueKeys.has(key))
    const inner = plainValue(raw[textKey])
    return { value: inner.value, isAll: isAll && inner.isAll }
  }
  return translated(raw) ?? { value: raw, isAll: true }
}

/** Of a text in several languages, the English one counts, else the first. */
function translated(object: Members): { value: unknown; isAll: boolean } | undefined {
  const languages = Object.keys(object)
  const isText = languages.every((key) => language.test(key) && typeof object[key] === 'string')
  const [first] = languages
  if (first === undefined || !isText) return undefined
  return {
    value: object[languages.find((key) => key.startsWith('en')) ?? first],
    isAll: languages.length === 1,
  }
}

function withUnit(value: unknown, others: Members): unknown {
  const units = Object.fromEntries(unitKeys.flatMap((key) => (key in others ? [[key, others[key]]] : [])))
  return Object.keys(units).length === 0 ? value : (readMeasure({ value, ...units })?.text ?? value)
}
