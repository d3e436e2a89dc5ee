// Reads the rows of a WooCommerce product export. The variations of a product name their parent, and leave empty what
// they share with it. Each variation is a watch; a parent is one only if the file has no variation of it.
import type { FileRecord } from '../../files/records.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import type { ProductRows } from './shopify-rows.ts'

/** Parents that are kept; variations follow their parent closely. */
const parentsMax = 10_000

const inherited =
  /^(?:Brands?|Marken?|Categories|Kategorien|Tags|Schlagwörter|Images|Bilder|Attribut\w* \d+ |Meta: )/i

/** Columns of lists, in which a comma of a value has a backslash. */
const lists = /^(?:Categories|Kategorien|Tags|Schlagwörter|Attribut\w* \d+ )/i

export function variationRows(columns: readonly string[]): ProductRows {
  const placeOf = (shape: RegExp) => columns.findIndex((name) => shape.test(name))
  const idAt = placeOf(/^ID$/i)
  const skuAt = placeOf(/^(?:SKU|Artikelnummer)$/i)
  const parentAt = placeOf(/^(?:Parent|Übergeordnetes Produkt)$/i)
  const shared = columns.flatMap((name, at) => (inherited.test(name) ? [at] : []))
  const listed = columns.flatMap((name, at) => (lists.test(name) ? [at] : []))
  const typeAt = placeOf(/^Type?$/i)
  /** `id:7` or the SKU → the record of a product. */
  const parents = new Map<string, FileRecord>()
  /** Parents of which no variation was seen yet. */
  const waiting = new Set<FileRecord>()
  /** Names of parents that are expected behind their variations. */
  const expected = new Set<string>()

  function keep(name: string, record: FileRecord): void {
    parents.delete(name)
    parents.set(name, record)
    const [oldest] = parents.keys()
    if (parents.size > parentsMax && oldest !== undefined) parents.delete(oldest)
  }

  function textAt({ cells }: FileRecord, at: number): string {
    return isNothing(cells[at]) ? '' : cellText(cells[at]).trim()
  }

  function takeParent(record: FileRecord): FileRecord[] {
    const names = [`id:${textAt(record, idAt)}`, textAt(record, skuAt)].filter(
      (name) => !/^(?:id:)?$/.test(name),
    )
    for (const name of names) keep(name, record)
    if (!/^variable/i.test(textAt(record, typeAt))) return [record]
    if (names.some((name) => expected.has(name))) return []
    waiting.add(record)
    const [oldest] = waiting
    if (waiting.size <= parentsMax || oldest === undefined) return []
    waiting.delete(oldest)
    return [oldest]
  }

  return {
    takeRest: () => {
      const rest = [...waiting]
      waiting.clear()
      return rest
    },
    take(given) {
      const record = withoutEscapes(given, listed)
      const name = textAt(record, parentAt)
      if (name === '') return takeParent(record)
      const parent = parents.get(name)
      if (parent === undefined) {
        if (expected.size < parentsMax) expected.add(name)
        return [record]
      }
      waiting.delete(parent)
      const cells = [...record.cells]
      for (const at of shared) if (isNothing(cells[at])) cells[at] = parent.cells[at]
      return [{ ...record, cells }]
    },
  }
}

/** `Date, Hours\\, minutes` is a list of two values, and `39\\,8 mm` is `39,8 mm`. */
function withoutEscapes(record: FileRecord, listed: readonly number[]): FileRecord {
  const isEscaped = (at: number) => typeof record.cells[at] === 'string' && record.cells[at].includes('\\,')
  const escaped = listed.filter(isEscaped)
  if (escaped.length === 0) return record
  const cells = [...record.cells]
  for (const at of escaped) {
    const values = String(cells[at])
      .split(/(?<!\\),/)
      .map((value) => value.replaceAll('\\,', ',').trim())
    cells[at] = values.length === 1 ? values[0] : values
  }
  return { ...record, cells }
}
