// Reads a file of exchange rates: rows of date, currency and rate in US dollars, or the table of the European Central
// Bank, which has a column for each currency, in units for one euro.
import { Failure } from '../errors.ts'
import { openRecords } from '../files/open-records.ts'
import type { FileRecord } from '../files/records.ts'
import { cellText, isNothing, shown } from './cells/clean-text.ts'
import { isCurrencyCode } from './cells/currencies.ts'
import { parseMoment } from './cells/price-day.ts'
import type { DatedRate } from './cells/rates.ts'

/** Rates of all currencies together. The table of the European Central Bank since 1999 has fewer than 300,000. */
const ratesMax = 1_000_000
const decimal = /^\d+(?:\.\d+)?(?:e-?\d+)?$/i

/** Currency code → its rates in order of days. Every Failure names the file. */
export async function readRates(path: string): Promise<Map<string, readonly DatedRate[]>> {
  const table = new RateTable(path)
  const file = await openRecords(path, {})
  for await (const { columns, records, bad } of file.batches()) {
    const [first] = bad
    if (first !== undefined) throw new Failure(`${path}:${first.line}: the line cannot be read: mend it.`)
    const places = placesOf(path, columns)
    for (const record of records) table.add(record, places, columns)
  }
  return table.rates()
}

/** The numbers of the columns: those of a list of rates, or the currencies of a table. */
interface Places {
  readonly date: number
  readonly currency: number
  readonly rate: number
  /** Code → column, if the file is a table; empty if it is a list. */
  readonly table: ReadonlyMap<string, number>
}

function placesOf(path: string, columns: readonly string[]): Places {
  const names = columns.map((name) => name.trim().toLowerCase())
  const [date, currency, rate] = ['date', 'currency', 'rate'].map((name) => names.indexOf(name)) as Three
  const isList = currency >= 0 && rate >= 0
  const codes = names.flatMap((name, at): [string, number][] =>
    isCurrencyCode(name.toUpperCase()) ? [[name.toUpperCase(), at]] : [],
  )
  const isTable = !isList && names.includes('usd') && codes.length > 1
  if (date < 0 || (!isList && !isTable)) {
    throw new Failure(
      `${path} has no exchange rates: its columns must be date, currency and rate, or date and one for each currency, USD among them, as in the table of the European Central Bank.`,
    )
  }
  return { date, currency, rate, table: new Map(isTable ? codes : []) }
}

type Three = [number, number, number]

class RateTable {
  readonly #path: string
  readonly #rates = new Map<string, Map<string, number>>()
  #count = 0

  constructor(path: string) {
    this.#path = path
  }

  add(record: FileRecord, { date, currency, rate, table }: Places, columns: readonly string[]): void {
    if (record.cells.every(isNothing)) return
    const cellOf = (at: number) => record.cells[record.columns[at] === at ? at : record.columns.indexOf(at)]
    const fail = (at: number, advice: string) =>
      this.#failure(record.line, columns[at] ?? '', cellOf(at), advice)
    const moment = parseMoment(cellOf(date), { given: undefined })
    if (typeof moment !== 'number') throw fail(date, 'write a day like 2024-01-31')
    const day = new Date(moment).toISOString().slice(0, 10)
    const numberOf = (at: number) => {
      const cell = cellText(cellOf(at)).trim()
      const number = decimal.test(cell) ? Number(cell) : 0
      if (number > 0 && Number.isFinite(number)) return number
      throw fail(at, 'write a number like 1.08')
    }
    if (table.size === 0) {
      const code = cellText(cellOf(currency)).trim().toUpperCase()
      if (!isCurrencyCode(code)) throw fail(currency, 'write an ISO code like EUR')
      this.#put(code, day, numberOf(rate), record.line)
      return
    }
    const usd = table.get('USD') as number
    // On some days a currency has no rate.
    if (isNothing(cellOf(usd))) return
    const perEuro = numberOf(usd)
    this.#put('EUR', day, perEuro, record.line)
    for (const [code, at] of table) {
      if (code !== 'USD' && code !== 'EUR' && !isNothing(cellOf(at)))
        this.#put(code, day, perEuro / numberOf(at), record.line)
    }
  }

  rates(): Map<string, readonly DatedRate[]> {
    if (this.#count === 0) throw new Failure(`${this.#path} has no exchange rates: it has no rows.`)
    return new Map(
      [...this.#rates].map(([code, rates]) => [
        code,
        [...rates].map(([day, usd]) => ({ day, usd })).sort((one, other) => (one.day < other.day ? -1 : 1)),
      ]),
    )
  }

  #put(code: string, day: string, usd: number, line: number): void {
    const rates = this.#rates.getOrInsertComputed(code, () => new Map())
    const known = rates.get(day)
    if (known !== undefined && known !== usd) {
      throw new Failure(`${this.#path}:${line}: ${code} has a second rate on ${day}: leave out one.`)
    }
    if (known === undefined) this.#count++
    if (this.#count > ratesMax) {
      throw new Failure(
        `${this.#path} has more than ${ratesMax.toLocaleString('en')} rates: leave out old ones.`,
      )
    }
    rates.set(day, usd)
  }

  #failure(line: number, column: string, cell: unknown, advice: string): Failure {
    return new Failure(`${this.#path}:${line}: ${column.trim()} reads "${shown(cell)}": ${advice}.`)
  }
}
