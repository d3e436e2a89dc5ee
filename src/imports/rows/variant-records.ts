// Makes a record of each variant of a product that lists its variants, as the JSON of Shopify and of other shops does.
import { isObject, type Members, type NamedCell } from './named-cells.ts'
import { unpackVariant } from './unpack-lists.ts'

/** A product with more variants, or with more cells in all of them, stays one record. */
const variantsMax = 3_000
const variantCellsMax = 200_000
const variants = /^((?:.*\.)?)variants(?:\.(?:edges|nodes))?$/i
/** A variant without one of these is no watch of its own. */
const identifying =
  /^(?:price|prices|sku|barcode|mpn|ref(?:erence)?(?:[ _]?(?:number|no))?|(?:current|sale|retail)_?price)$/i
/** commercetools lists the other variants beside the one that has the price. */
const masterVariant = /(?:^|\.)masterVariant\./
const ownOptions = /^(?:option[123]|selected_?options)$/i

/** The records of the product: one if it lists no variants. */
export function variantRecords(cells: readonly NamedCell[]): (readonly NamedCell[])[] {
  const found = cells.find(({ name, cell }) => Array.isArray(cell) && variants.test(name))
  if (found === undefined || cells.some(({ name }) => masterVariant.test(name))) return [cells]
  const list = variantsIn(found.cell as readonly unknown[])
  if (list === undefined || list.length * cells.length > variantCellsMax) return [cells]
  const [, parent = ''] = variants.exec(found.name) ?? []
  const options = list.every(hasOwnOptions)
    ? cells.find(({ name }) => name === `${parent}options`)
    : undefined
  const shared = cells.filter((one) => one !== found && one !== options)
  return list.map((one) => [...shared, ...unpackVariant(`${parent}variants`, one, options?.cell)])
}

/** The options of the product list those of all its variants. */
function hasOwnOptions(variant: Members): boolean {
  return Object.keys(variant).some((name) => ownOptions.test(name))
}

function variantsIn(list: readonly unknown[]): readonly Members[] | undefined {
  const objects = list.filter(isObject)
  if (objects.length !== list.length || list.length === 0 || list.length > variantsMax) return undefined
  const nodes = objects.map(({ node }) => node)
  const inner = nodes.every(isObject) ? nodes : objects
  const areWatches = inner.every((one) => Object.keys(one).some((key) => identifying.test(key)))
  return areWatches || inner.length === 1 ? inner : undefined
}
