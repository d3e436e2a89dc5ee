// Unfolds records of watches that have a list of dated prices, as JSON files do, into a record for each price.
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { type PriceKind, roleOf } from './column-roles.ts'

type Members = Readonly<Record<string, unknown>>

/** What a record says of its watch now, and not of the days of its history. */
const ofNow: ReadonlySet<string> = new Set(['date', 'price', 'kind', 'day'])

export async function* unfoldHistories(
  batches: AsyncIterable<RecordBatch>,
  as: PriceKind,
): AsyncGenerator<RecordBatch> {
  /** The columns of histories, which may be empty in some records. */
  const folded = new Set<string>()
  const numbers = new Map<string, number>()
  const numberOf = (name: string) => numbers.getOrInsertComputed(name, () => numbers.size)
  for await (const batch of batches) {
    const { columns, records } = batch
    for (const record of records) {
      for (const [at, cell] of record.cells.entries())
        if (isHistory(cell, as)) folded.add(columns[record.columns[at] as number] ?? '')
    }
    if (folded.size === 0) {
      // A later batch may have the first history: the columns keep their numbers.
      columns.forEach(numberOf)
      yield batch
    } else {
      const unfolded = records.flatMap((record) => unfold(record, { columns, folded, as }, numberOf))
      yield { ...batch, columns: [...numbers.keys()], records: unfolded }
    }
  }
}

function unfold(
  { line, columns: places, cells }: FileRecord,
  { columns, folded, as }: { columns: readonly string[]; folded: ReadonlySet<string>; as: PriceKind },
  numberOf: (name: string) => number,
): FileRecord[] {
  const named = cells.map((cell, at) => [columns[places[at] as number] ?? '', cell] as const)
  const isFolded = named.some(([name]) => folded.has(name))
  const own = named.filter(([name]) => !(folded.has(name) || (isFolded && ofNow.has(roleOf(name, as).is))))
  const histories = named.flatMap(([, cell]) => (isHistory(cell, as) ? cell : []))
  return (histories.length === 0 ? [{}] : histories).map((members) => {
    const all = new Map([...own, ...Object.entries(members)])
    return { line, columns: [...all.keys()].map(numberOf), cells: [...all.values()] }
  })
}

/** Whether the cell is a list of objects of which the first has a day and a price. */
function isHistory(cell: unknown, as: PriceKind): cell is readonly Members[] {
  if (!Array.isArray(cell) || !cell.every(isObject)) return false
  const roles = Object.keys(cell[0] ?? {}).map((name) => roleOf(name, as).is)
  return roles.includes('date') && roles.includes('price')
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
