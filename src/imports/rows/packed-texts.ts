// Reads texts that hold more than one value: amounts with their units as JSON, as the metafields of Shopify have them, and
// the attributes in the exports of Magento, `manufacturer=Rolex,case_diameter=40 mm`.
import { findJson } from '../cells/list-literal.ts'
import { readMeasure } from './measures.ts'
import { isObject, type NamedCell } from './named-cells.ts'

const openBrace = 123
const measureCharsMax = 500
const attributesCharsMax = 100_000
const attributesMax = 1_000
const attributesName = /(?:^|\.)additional_?attributes$/i
/** A value may have commas: it ends where the next name begins. In quotes, it may have anything. */
const attribute = /\s*([a-z]\w*)=("(?:[^"]|"")*"|.*?)(?:,(?=\s*[a-z]\w*=)|$)/isy

/** Whether a column by this name has attributes in its texts. */
export function hasAttributes(name: string): boolean {
  return attributesName.test(name)
}

/** Whether the text may be an amount with its unit. Quick, because this is asked of every cell. */
export function mayBeMeasure(text: string): boolean {
  return text.charCodeAt(0) === openBrace && text.length <= measureCharsMax
}

/** Returns the cells that a text becomes: itself, if it has one value. */
export function unpackText(one: NamedCell, text: string): readonly NamedCell[] {
  if (/^specs(?:\.|$)/.test(one.name)) return [one]
  if (mayBeMeasure(text)) return [{ ...one, cell: measureText(text) }]
  const attributes = hasAttributes(one.name) ? readAttributes(text) : []
  if (attributes.length === 0) return [one]
  return attributes.map(([name, value]) => ({ name: `${one.name}.${name}`, cell: value }))
}

/** `{"value":40.5,"unit":"MILLIMETERS"}` is `40.5 mm`; any other text is itself. */
export function measureText(text: string): string {
  const object = mayBeMeasure(text) ? findJson(text) : undefined
  const measure = isObject(object) ? readMeasure(object) : undefined
  const isWhole = measure !== undefined && Object.keys(measure.others).length === 0
  return isWhole ? (measure.text ?? text) : text
}

/** Empty if the text is anything else. */
function readAttributes(text: string): [name: string, value: string][] {
  const found: [string, string][] = []
  if (text.length > attributesCharsMax) return found
  attribute.lastIndex = 0
  while (attribute.lastIndex < text.length) {
    const [, name, value = ''] = attribute.exec(text) ?? []
    if (name === undefined || found.length === attributesMax) return []
    found.push([name, /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value])
  }
  return found
}
