// Collects the prices of all files and returns them sorted by watch and time, so that the result does not depend on the
// order of rows and files. It uses typed arrays, because there may be millions of prices.
import { Failure } from '../../errors.ts'

/** A price; null: there is none; undefined: the row says nothing about it. */
export type Said = number | null | undefined

/** What the files say about one watch on one day. */
export interface SaidDay {
  readonly date: string
  readonly retail: Said
  readonly market: Said
  readonly source: string
  /** Whether the file names the source itself. */
  readonly isOwnSource: boolean
}

export interface SaidHistory {
  readonly watchId: number
  /** Whether an export of prices has the watch: it then has the watch's complete history. */
  readonly isExport: boolean
  /** In order of days. */
  readonly days: readonly SaidDay[]
}

export interface Statement {
  readonly watchId: number
  readonly momentMs: number
  readonly retail: Said
  readonly market: Said
  /** Undefined if the file does not name one. */
  readonly source: string | undefined
  readonly isExport?: boolean
}

const statementsMin = 1 << 12
/** 175 MB of memory. */
const statementsMax = 5_000_000
const sourcesMax = 65_535
/** Codes for null and undefined: prices are never negative. */
const nothing = -1
const unsaid = -2

export class PriceStatements {
  /** The first is the source of statements that name none. */
  readonly #sources: string[]
  readonly #sourceNumbers = new Map<string, number>()
  #watchIds = new Float64Array(statementsMin)
  #moments = new Float64Array(statementsMin)
  #retail = new Float64Array(statementsMin)
  #market = new Float64Array(statementsMin)
  #sourceOf = new Uint16Array(statementsMin)
  #isExport = new Uint8Array(statementsMin)
  #count = 0
  #superseded = 0

  constructor(defaultSource: string) {
    this.#sources = [defaultSource]
  }

  get count(): number {
    return this.#count
  }

  /** How many prices another one of the same watch, day and kind has replaced, as far as histories were returned. */
  get superseded(): number {
    return this.#superseded
  }

  add({ watchId, momentMs, retail, market, source, isExport = false }: Statement): void {
    if (this.#count === this.#watchIds.length) this.#grow()
    const at = this.#count++
    this.#watchIds[at] = watchId
    this.#moments[at] = momentMs
    this.#retail[at] = encode(retail)
    this.#market[at] = encode(market)
    this.#sourceOf[at] = source === undefined ? 0 : this.#numberOf(source)
    this.#isExport[at] = Number(isExport)
  }

  /** If a field occurs more than once on a day, the latest time wins; at the same time, the last row in the files. */
  *histories(): Generator<SaidHistory> {
    const [ids, moments] = [this.#watchIds, this.#moments]
    const order = Uint32Array.from({ length: this.#count }, (_, at) => at).sort(
      (one, other) =>
        (ids[one] as number) - (ids[other] as number) ||
        (moments[one] as number) - (moments[other] as number) ||
        one - other,
    )
    let days: SaidDay[] = []
    let watchId = 0
    let isExport = false
    for (const at of order) {
      const id = ids[at] as number
      if (id !== watchId && days.length > 0) {
        yield { watchId, days, isExport }
        days = []
        isExport = false
      }
      watchId = id
      isExport ||= this.#isExport[at] === 1
      this.#addTo(days, at)
    }
    if (days.length > 0) yield { watchId, days, isExport }
  }

  #addTo(days: SaidDay[], at: number): void {
    const date = new Date(this.#moments[at] as number).toISOString().slice(0, 10)
    const before = days.at(-1)?.date === date ? days.pop() : undefined
    const number = this.#sourceOf[at] as number
    const [retail, market] = [decode(this.#retail[at]), decode(this.#market[at])]
    if (isReplaced(before?.retail, retail)) this.#superseded++
    if (isReplaced(before?.market, market)) this.#superseded++
    days.push({
      date,
      retail: retail === undefined ? before?.retail : retail,
      market: market === undefined ? before?.market : market,
      source: this.#sources[number] as string,
      isOwnSource: number !== 0,
    })
  }

  #numberOf(source: string): number {
    return this.#sourceNumbers.getOrInsertComputed(source, () => {
      if (this.#sources.length <= sourcesMax) return this.#sources.push(source) - 1
      throw new Failure(`The files name more than ${sourcesMax} sources: is the right column called source?`)
    })
  }

  #grow(): void {
    if (this.#count === statementsMax) {
      throw new Failure(
        `The files have more than ${statementsMax.toLocaleString('en')} prices: import them in several commands.`,
      )
    }
    const length = Math.min(statementsMax, this.#count * 2)
    this.#watchIds = new Float64Array(this.#watchIds.buffer.transfer(length * 8))
    this.#moments = new Float64Array(this.#moments.buffer.transfer(length * 8))
    this.#retail = new Float64Array(this.#retail.buffer.transfer(length * 8))
    this.#market = new Float64Array(this.#market.buffer.transfer(length * 8))
    this.#sourceOf = new Uint16Array(this.#sourceOf.buffer.transfer(length * 2))
    this.#isExport = new Uint8Array(this.#isExport.buffer.transfer(length))
  }
}

function isReplaced(before: Said, now: Said): boolean {
  return typeof before === 'number' && now !== undefined && now !== before
}

function encode(said: Said): number {
  return said === undefined ? unsaid : said === null ? nothing : said
}

function decode(stored: number | undefined): Said {
  return stored === unsaid ? undefined : stored === nothing ? null : stored
}
