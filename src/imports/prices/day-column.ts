// Finds the order of day and month in the column of days of a file. All days of a column have one order: a day such as
// 13/02/2024 shows it for all others. A file whose days do not show it, or show both, is refused as a whole.
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'
import type { Unreadable } from '../cells/money.ts'
import type { PriceColumn } from './price-columns.ts'
import { type DayOrder, findDayOrder, parseMoment } from './price-day.ts'

const formats = '--date-format dmy or --date-format mdy'

interface Shown {
  readonly column: string
  readonly day: string
}

export class DayColumn {
  readonly #file: string
  readonly #given: DayOrder | undefined
  /** The first day that shows each order, and the first that shows none. */
  readonly #seen: Partial<Record<DayOrder | 'either', Shown>> = {}

  constructor(file: string, given: DayOrder | undefined) {
    this.#file = file
    this.#given = given
  }

  /** Looks for the order in the records. Throws a Failure if days of the file show both orders. */
  look(records: readonly FileRecord[], columns: readonly PriceColumn[]): void {
    if (this.#given !== undefined) return
    const at = columns.findIndex(({ role }) => role.is === 'date')
    for (const { columns: numbers, cells } of records) {
      const cell = cells[numbers[at] === at ? at : numbers.indexOf(at)]
      const order = cell === undefined ? undefined : findDayOrder(cell)
      if (order !== undefined) this.#seen[order] ??= { column: columns[at]?.name ?? '', day: shown(cell) }
    }
    const { dmy, mdy } = this.#seen
    if (dmy === undefined || mdy === undefined) return
    throw new Failure(
      `${this.#file} has days in two orders in its column ${dmy.column}, ${dmy.day} and ${mdy.day}: mend one, or say ${formats}.`,
    )
  }

  /** Whether a day can be read in two ways, and no other day has shown the order so far. */
  get isOpen(): boolean {
    return this.#given === undefined && this.#found === undefined && this.#seen.either !== undefined
  }

  parse(cell: unknown): number | Unreadable {
    return parseMoment(cell, { given: this.#given, found: this.#found })
  }

  undecided(): Failure {
    const { column, day } = this.#seen.either as Shown
    return new Failure(
      `The column ${column} of ${this.#file} has days such as ${day}, and none that shows whether the day or the month comes first: say ${formats}.`,
    )
  }

  get #found(): DayOrder | undefined {
    return this.#seen.dmy === undefined ? this.#seen.mdy && 'mdy' : 'dmy'
  }
}
