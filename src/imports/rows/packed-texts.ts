// Reads texts that hold more than one value: amounts with their units as JSON, as the metafields of Shopify have them,
// dictionaries of Python, and the attributes in the exports of shops, `manufacturer=Rolex,case_diameter=40 mm`.
import { findJson } from '../cells/list-literal.ts'
import { readMeasure } from './measures.ts'
import { attributesHolder, isObject, type NamedCell } from './named-cells.ts'
import { findDict, mayBeDict } from './python-dict.ts'

type Attribute = readonly [name: string, value: string]

const attributesCharsMax = 100_000
const attributesMax = 1_000
/** A value may have commas: it ends where the next name begins. In quotes, it may have anything. */
const attribute = /\s*([a-z]\w*)=("(?:[^"]|"")*"|.*?)(?:,(?=\s*[a-z]\w*=)|$)/isy
/** Commas before a section and a name, of Google, and behind a position, of PrestaShop. */
const nextSection = /,(?=[^:,]*:[^:,]*:)/
const nextFeature = /(?<=:\d{0,5}),(?=[^:,]*:)/
/** Columns of attributes: how they are named, and how a text is read. */
const packed: readonly (readonly [RegExp, (text: string) => readonly Attribute[]])[] = [
  [/(?:^|\.)additional_?attributes$/i, readAttributes],
  // Google Merchant: `Case:Diameter:40 mm,Case:Material:Steel`.
  [
    /^(?:g:)?product[_ ]details?(?:\([^()]*\))?$/i,
    (text) => readParts(text, nextSection, /^([^:,]*:[^:,]+):(.*)$/s),
  ],
  // PrestaShop: `Case diameter:40 mm:1,Movement:Automatic:2`.
  [
    /^features? ?\(name:value:position[^()]*\)$/i,
    (text) => readParts(text, nextFeature, /^([^:]+):([^:]*):\d*(?::\d*)?$/),
  ],
  // BigCommerce: `Case Size=41mm;Case Material=Steel`.
  [/^product custom fields$/i, (text) => readParts(text, /;/, /^([^=]+)=(.*)$/s)],
]

/** Whether a column by this name has attributes in its texts. */
export function hasAttributes(name: string): boolean {
  return packed.some(([shape]) => shape.test(name))
}

/** Returns the cells that a text becomes: itself, if it has one value. */
export function unpackText(one: NamedCell, text: string): readonly NamedCell[] {
  if (/^specs(?:\.|$)/.test(one.name)) return [one]
  if (mayBeDict(text)) return [{ ...one, cell: measureText(text) }]
  const read = packed.find(([shape]) => shape.test(one.name))?.[1]
  const attributes = read === undefined || text.length > attributesCharsMax ? [] : read(text)
  if (attributes.length === 0) return [one]
  const holder = read === readAttributes ? one.name : attributesHolder
  return attributes.map(([name, value]) => ({ name: `${holder}.${name}`, cell: value }))
}

/** The attributes between the separators; empty if any part is anything else. */
function readParts(text: string, between: RegExp, shape: RegExp): readonly Attribute[] {
  const parts = text.split(between).map((part) => unquoted(part.trim()))
  const found = parts.filter((part) => part !== '').map((part) => shape.exec(part))
  if (found.length > attributesMax || found.includes(null)) return []
  return found.map((match) => {
    const [, name = '', value = ''] = match ?? []
    const path = name.split(':').map((part) => part.trim())
    return [path.filter((part) => part !== '').join('.'), unquoted(value.trim())]
  })
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text
}

/** `{"value":40.5,"unit":"MILLIMETERS"}` is `40.5 mm`; any other text is itself. */
export function measureText(text: string): string {
  const object = mayBeDict(text) ? (findJson(text) ?? findDict(text)) : undefined
  const measure = isObject(object) ? readMeasure(object) : undefined
  const isWhole = measure !== undefined && Object.keys(measure.others).length === 0
  return isWhole ? (measure.text ?? text) : text
}

/** Empty if the text is anything else. */
function readAttributes(text: string): readonly Attribute[] {
  const found: Attribute[] = []
  attribute.lastIndex = 0
  while (attribute.lastIndex < text.length) {
    const [, name, value = ''] = attribute.exec(text) ?? []
    if (name === undefined || found.length === attributesMax) return []
    found.push([name, unquoted(value)])
  }
  return found
}
