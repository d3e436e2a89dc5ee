// Finds columns of water resistances without units whose numbers are hardly metres: many sources write 3, 5 or 10 and
// mean bar.
import type { FileRecord } from '../../files/records.ts'
import { findNumber } from '../../specs/numbers.ts'
import { cellText } from '../cells/clean-text.ts'
import type { Mapping } from '../mapping.ts'
import { sampleColumns } from './sample-columns.ts'

/** Metres. No watch is sold with less: 30 is the least that makers state. */
const depthMin = 20

/** Returns a sentence for each such column. */
export function tellBareDepths({ columns, isExport }: Mapping, records: readonly FileRecord[]): string[] {
  const isBare = ({ to, as, unit }: Mapping['columns'][number]) =>
    to === 'specs.water_resistance' && as === 'quantity' && unit === undefined
  if (isExport || !columns.some(isBare)) return []
  const samples = sampleColumns(columns.length, records)
  return columns.flatMap((column, at) => {
    if (!isBare(column)) return []
    const numbers = (samples[at]?.cells ?? []).map((cell) => findNumber(cellText(cell).trim()))
    const shallow = numbers.find((number) => number !== undefined && number > 0 && number < depthMin)
    if (shallow === undefined) return []
    return [
      `The numbers of ${column.column} without a unit are read as metres, but ${shallow} m is hardly meant. If they are bar or ATM, say so in a mapping: ${JSON.stringify(column.column)}: {"to": "specs.water_resistance", "unit": "bar"}.`,
    ]
  })
}
