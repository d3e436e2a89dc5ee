// Exchange rates by currency and day, and the record of what an import has used: which rates, and how many prices
// without a currency.

/** A rate that is valid from a day until the day of the next one. */
export interface DatedRate {
  readonly day: string
  /** US dollars for one unit. */
  readonly usd: number
}

/** Currency code → US dollars for one unit of it: one rate for all days, or rates in order of days. */
export type Rates = ReadonlyMap<string, number | readonly DatedRate[]>

export interface FoundRate {
  readonly usd: number
  /** Undefined if the rate has no day, as that of --rate. */
  readonly day: string | undefined
}

/** Finds the newest rate on or before the day, or the newest of all without a day. */
export function findRate(rates: Rates, currency: string, day?: string): FoundRate | undefined {
  const found = rates.get(currency)
  if (found === undefined) return undefined
  if (typeof found === 'number') return { usd: found, day: undefined }
  if (day === undefined) return found.at(-1)
  // The number of rates that are not later than the day.
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((found[middle] as DatedRate).day <= day) low = middle + 1
    else high = middle
  }
  return found[low - 1]
}

/** The rates to use on a day: the newest of each currency. */
export function ratesOn(rates: Rates, day: string): Rates {
  return new Map(
    [...rates].flatMap(([currency, found]): [string, number | readonly DatedRate[]][] => {
      if (typeof found === 'number') return [[currency, found]]
      const rate = findRate(rates, currency, day)
      return rate?.day === undefined ? [] : [[currency, [{ day: rate.day, usd: rate.usd }]]]
    }),
  )
}

/** The rates of a currency that were used. */
export interface RateUse {
  readonly currency: string
  /** The rate of the last of the days. */
  readonly usd: number
  /** The first and the last of the days of the rates; undefined if the rate has no day. */
  readonly first: string | undefined
  readonly last: string | undefined
}

export interface MoneyUse {
  /** Prices for which neither the cell, nor its column, nor its row names a currency. */
  readonly assumed: number
  readonly rates: readonly RateUse[]
}

/** Counts what the prices of an import use. */
export class MoneyCounter {
  assumed = 0
  readonly #rates = new Map<string, RateUse>()

  addRate(currency: string, { usd, day }: FoundRate): void {
    this.#add({ currency, usd, first: day, last: day })
  }

  add({ assumed, rates }: MoneyUse): void {
    this.assumed += assumed
    for (const use of rates) this.#add(use)
  }

  get use(): MoneyUse {
    return { assumed: this.assumed, rates: [...this.#rates.values()] }
  }

  #add(use: RateUse): void {
    const known = this.#rates.get(use.currency)
    const [{ first = '', last = '' }, other] = [use, known]
    if (other?.first === undefined || other.last === undefined) {
      this.#rates.set(use.currency, use)
      return
    }
    if (first >= other.first && last <= other.last) return
    this.#rates.set(use.currency, {
      currency: use.currency,
      usd: last > other.last ? use.usd : other.usd,
      first: first < other.first ? first : other.first,
      last: last > other.last ? last : other.last,
    })
  }
}
