// Reads the rows of a Shopify product export. The first row of a product has what its variants share, further rows have
// another variant, or only another image. Each variant becomes a record with all that is known about it.
import type { FileRecord } from '../../files/records.ts'
import { isNothing } from '../cells/clean-text.ts'

/** Collects rows until a product is complete. */
export interface ProductRows {
  take(record: FileRecord): FileRecord[]
  takeRest(): FileRecord[]
}

/** A product with more rows is not put together further: the rows pass as they are. */
const productRowsMax = 3_000

const ofVariant =
  /^(?:Variant |Option\d (?:Value|Linked To)|(?:SKU|Barcode|Price|Compare-at price|Cost per item|Charge tax|Tax code|Requires shipping|Fulfillment service|Continue selling when out of stock)$|Inventory |Weight |Unit price|(?:Price|Compare.At.Price|Included) \/)/i
/** A row with one of these is a variant. */
const provesVariant = /^(?:Variant (?:SKU|Price)|SKU|Price|Option1 Value)$/i

export function shopifyRows(columns: readonly string[]): ProductRows {
  const placesOf = (shape: RegExp) => columns.flatMap((name, at) => (shape.test(name) ? [at] : []))
  const [handleAt = -1] = placesOf(/^(?:URL )?handle$/i)
  const [titleAt = -1] = placesOf(/^Title$/i)
  const [imageAt = -1] = placesOf(/^(?:Image Src|Product image URL)$/i)
  const proofs = placesOf(provesVariant)
  const shared = placesOf(/^/).filter((at) => !ofVariant.test(columns[at] ?? '') && at !== imageAt)
  let product: FileRecord[] = []
  let handle: unknown

  function takeRest(): FileRecord[] {
    const [first, ...others] = product
    product = []
    if (first === undefined) return []
    const variants = [first, ...others.filter(({ cells }) => proofs.some((at) => !isNothing(cells[at])))]
    const images = [first, ...others].map(({ cells }) => cells[imageAt]).filter((image) => !isNothing(image))
    const distinct = [...new Set(images)]
    return variants.map((variant) => {
      const cells = [...variant.cells]
      for (const at of shared) if (isNothing(cells[at])) cells[at] = first.cells[at]
      if (imageAt >= 0) cells[imageAt] = distinct.length === 0 ? '' : distinct
      return { ...variant, cells }
    })
  }

  return {
    takeRest,
    take(record) {
      const { cells } = record
      const isNext = cells[handleAt] !== handle || !isNothing(cells[titleAt])
      const done = isNext || product.length === productRowsMax ? takeRest() : []
      if (isNext) handle = cells[handleAt]
      // A row that continues a product of too many rows, or none, is read as it is.
      else if (product.length === 0) return [...done, record]
      product.push(record)
      return done
    },
  }
}
