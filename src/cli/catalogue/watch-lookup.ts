// Finds the watch that an operator names on the command line: by its id, or by its reference and, if several watches
// have that reference, the brand.

import { getBrand } from '../../catalogue/edit/get-brand.ts'
import type { BrandFinder } from '../../catalogue/find-brand.ts'
import { findWatches } from '../../catalogue/find-watch.ts'
import type { WatchRow } from '../../catalogue/watches.ts'
import { Failure } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { visible } from '../catalogue-texts.ts'
import { tell } from '../output.ts'

const toldMax = 10

export async function getWatch(
  reader: Reader,
  finder: BrandFinder,
  raw: string,
  brand?: string,
): Promise<WatchRow> {
  if (raw.trim() === '') throw new Failure('No watch is named: give its id or its reference.')
  const ofBrand = brand === undefined ? undefined : getBrand(finder, brand)
  const { rows, othersByReference } = await findWatches(reader, raw, ofBrand?.id)
  const [row, ...others] = rows
  if (row === undefined) {
    const what =
      ofBrand === undefined ? 'There is no watch with the id or' : `${ofBrand.name} has no watch with the`
    throw new Failure(
      `${what} reference ${visible(raw)}: spaces, dots, dashes and case do not matter, all else does.`,
    )
  }
  if (others.length > 0) throw new Failure(severalText(finder, raw, rows))
  if (othersByReference.length > 0) {
    const ids = othersByReference.slice(0, toldMax).join(', ')
    tell(`${raw} is taken as an id. It is also the reference of ${ids}: add --brand for that one.`)
  }
  return row
}

/** `Omega Speedmaster 310.30.42.50.01.001`. */
export function watchName(finder: BrandFinder, { brand_id, collection, reference_number }: WatchRow): string {
  const parts = [finder.name(brand_id), collection, reference_number]
  return visible(parts.filter((part) => part !== '').join(' '))
}

function severalText(finder: BrandFinder, raw: string, rows: readonly WatchRow[]): string {
  const told = rows.slice(0, toldMax).map((row) => `${row.id} (${watchName(finder, row)})`)
  const more = rows.length > toldMax ? ' and others' : ''
  const brands = new Set(rows.map(({ brand_id }) => brand_id))
  const advice = brands.size > 1 ? 'add --brand or use the id' : 'use the id'
  return `${rows.length} watches have the reference ${visible(raw)}: ${told.join(', ')}${more}; ${advice}.`
}
