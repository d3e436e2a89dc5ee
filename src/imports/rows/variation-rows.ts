// Reads the rows of a WooCommerce product export. The variations of a product name their parent, and leave empty what
// they share with it.
import type { FileRecord } from '../../files/records.ts'
import { cellText, isNothing } from '../cells/clean-text.ts'
import type { ProductRows } from './shopify-rows.ts'

/** Parents that are kept; variations follow their parent closely. */
const parentsMax = 10_000

const inherited =
  /^(?:Brands?|Marken?|Categories|Kategorien|Tags|Schlagwörter|Images|Bilder|Attribut\w* \d+ |Meta: )/i

export function variationRows(columns: readonly string[]): ProductRows {
  const placeOf = (shape: RegExp) => columns.findIndex((name) => shape.test(name))
  const idAt = placeOf(/^ID$/i)
  const skuAt = placeOf(/^(?:SKU|Artikelnummer)$/i)
  const parentAt = placeOf(/^(?:Parent|Übergeordnetes Produkt)$/i)
  const shared = columns.flatMap((name, at) => (inherited.test(name) ? [at] : []))
  const parents = new Map<string, FileRecord>()

  function keep(name: string, record: FileRecord): void {
    parents.delete(name)
    parents.set(name, record)
    const [oldest] = parents.keys()
    if (parents.size > parentsMax && oldest !== undefined) parents.delete(oldest)
  }

  function textAt({ cells }: FileRecord, at: number): string {
    return isNothing(cells[at]) ? '' : cellText(cells[at]).trim()
  }

  return {
    takeRest: () => [],
    take(record) {
      const parent = parents.get(textAt(record, parentAt))
      if (parent === undefined) {
        const [id, sku] = [textAt(record, idAt), textAt(record, skuAt)]
        if (id !== '') keep(`id:${id}`, record)
        if (sku !== '') keep(sku, record)
        return [record]
      }
      const cells = [...record.cells]
      for (const at of shared) if (isNothing(cells[at])) cells[at] = parent.cells[at]
      return [{ ...record, cells }]
    },
  }
}
