// Finds the order of day and month in the column of days of a file, or in the names of its columns. All days of a column have one order: a day such as
// 13/02/2024 shows it for all others. A file whose days do not show it, or show both, is refused as a whole.
import { Failure } from '../../errors.ts'
import type { FileRecord } from '../../files/records.ts'
import { shown } from '../cells/clean-text.ts'
import type { Unreadable } from '../cells/money.ts'
import {
  areMonthNames,
  type DayOrder,
  findDayOrder,
  findOuterNumbers,
  parseMoment,
} from '../cells/price-day.ts'
import type { PriceColumn } from './price-columns.ts'

const formats = '--date-format dmy or --date-format mdy'

interface Shown {
  /** Undefined if the day is the name of a column. */
  readonly column: string | undefined
  readonly day: string
}

/**
 * Tells whether the days of a column such as 22/03/15 may begin with the year. They end with it if one begins with a number
 * that no year up to now has, or if the first numbers vary more than the last: a file has more days than years.
 */
class TwoDigitYears {
  #mayComeFirst = false
  readonly #yearMax: number
  readonly #firsts = new Set<number>()
  readonly #lasts = new Set<number>()
  #sample: unknown
  #isLast = false

  constructor(yearMax: number) {
    this.#yearMax = yearMax
  }

  look(day: unknown): void {
    if (this.#isLast) return
    const outer = findOuterNumbers(day)
    if (outer === undefined) return
    const [first, last] = outer
    this.#sample ??= day
    this.#firsts.add(first)
    this.#lasts.add(last)
    this.#isLast = first > this.#yearMax || last > 31
    this.#mayComeFirst = !this.#isLast
  }

  get mayComeFirst(): boolean {
    return this.#mayComeFirst
  }

  /** The year comes last, whatever other days look like. */
  settle(): void {
    this.#isLast = true
    this.#mayComeFirst = false
  }

  /** The first of such days, if the year comes first or may do so. */
  get first(): unknown {
    const isYear = [...this.#lasts].some((last) => last > this.#yearMax)
    const isDoubtful = !this.#isLast && (isYear || this.#firsts.size <= this.#lasts.size)
    return isDoubtful ? this.#sample : undefined
  }
}

export class DayColumn {
  readonly #file: string
  readonly #given: DayOrder | undefined
  readonly #years: TwoDigitYears
  /** The first day that shows each order, and the first that shows none. */
  readonly #seen: Partial<Record<DayOrder | 'either', Shown>> = {}
  /** Whether columns such as `Feb 26` are months. */
  #areMonths = false

  constructor(file: string, given: DayOrder | undefined, today: string) {
    this.#file = file
    this.#given = given
    this.#years = new TwoDigitYears(Number(today.slice(2, 4)))
  }

  /** Looks for months in the names of the columns. Returns a note if some of them might be days by themselves. */
  readHeader(columns: readonly PriceColumn[]): string | undefined {
    const names = columns.flatMap(({ role }) => (role.is === 'day' ? [role.day] : []))
    this.#areMonths = areMonthNames(names)
    if (!this.#areMonths) return undefined
    const read = (name: string, areMonths: boolean) => parseMoment(name, { given: this.#given, areMonths })
    const doubtful = names.find((name) => typeof read(name, false) !== 'number')
    const month = doubtful === undefined ? undefined : read(doubtful, true)
    if (typeof month !== 'number') return undefined
    return `Columns of ${this.#file} such as ${doubtful} are read as months: ${new Date(month).toISOString().slice(0, 7)}.`
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

  /** Whether days can be read in two ways, and no other day has shown the order so far. */
  get isOpen(): boolean {
    if (this.#given !== undefined) return false
    return this.#years.mayComeFirst || (this.#found === undefined && this.#seen.either !== undefined)
  }

  /** Decides by the days so far. Throws a Failure if they do not show the order. */
  close(): void {
    const { first } = this.#years
    if (this.#given === undefined && first !== undefined)
      throw new Failure(
        `${this.#file} has days such as ${shown(first)}, in which the year may come first: write years with four digits, or say ${formats} if it comes last.`,
      )
    this.#years.settle()
    if (this.isOpen) throw this.#undecided()
  }

  parse(cell: unknown): number | Unreadable {
    return parseMoment(cell, { given: this.#given, found: this.#found, areMonths: this.#areMonths })
  }

  #undecided(): Failure {
    const { column, day } = this.#seen.either as Shown
    return new Failure(
      `The ${column === undefined ? 'header' : `column ${column}`} of ${this.#file} has days such as ${day}, and none that shows whether the day or the month comes first: say ${formats}.`,
    )
  }

  #see(day: unknown, column: string | undefined): void {
    this.#years.look(day)
    const order = findDayOrder(day)
    if (order !== undefined) this.#seen[order] ??= { column, day: shown(day) }
  }

  get #found(): DayOrder | undefined {
    return this.#seen.dmy === undefined ? this.#seen.mdy && 'mdy' : 'dmy'
  }
}
