// Finds the order of day and month in the column of days of a file, or in the names of its columns. All days of a column have one order: a day such as
// 13/02/2024 shows it for all others. A file whose days do not show it, or show both, is refused as a whole.
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'
import type { Unreadable } from '../cells/money.ts'
import { type DayOrder, findDayOrder, parseMoment } from '../cells/price-day.ts'
import type { PriceColumn } from './price-columns.ts'

const formats = '--date-format dmy or --date-format mdy'

interface Shown {
  /** Undefined if the day is the name of a column. */
  readonly column: string | undefined
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
    for (const { role } of columns) if (role.is === 'day') this.#see(role.day, undefined)
    const at = columns.findIndex(({ role }) => role.is === 'date')
    for (const { columns: numbers, cells } of records) {
      const cell = cells[numbers[at] === at ? at : numbers.indexOf(at)]
      if (cell !== undefined) this.#see(cell, columns[at]?.name ?? '')
    }
    const { dmy, mdy } = this.#seen
    if (dmy === undefined || mdy === undefined) return
    const where = dmy.column === undefined ? 'header' : `column ${dmy.column}`
    throw new Failure(
      `${this.#file} has days in two orders in its ${where}, ${dmy.day} and ${mdy.day}: mend one, or say ${formats}.`,
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
      `The ${column === undefined ? 'header' : `column ${column}`} of ${this.#file} has days such as ${day}, and none that shows whether the day or the month comes first: say ${formats}.`,
    )
  }

  #see(day: unknown, column: string | undefined): void {
    const order = findDayOrder(day)
    if (order !== undefined) this.#seen[order] ??= { column, day: shown(day) }
  }

  get #found(): DayOrder | undefined {
    return this.#seen.dmy === undefined ? this.#seen.mdy && 'mdy' : 'dmy'
  }
}
