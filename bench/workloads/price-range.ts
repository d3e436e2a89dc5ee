// Price ranges that no request had before, uncompressed: from a price on, up to a price, or between two. The bounds
// lie around the price of a random watch, so that each range contains at least that watch.
import { integerBetween, pick, randomFrom } from '../catalogues/random.ts'
import { curl } from './clients.ts'
import { drawId, listPath, type Workload } from './workload.ts'

const kinds = ['from', 'up to', 'between'] as const
const fields = ['current_market_price', 'retail_price_usd'] as const
/** A range between two prices is at most this much wider than the price, as a share of it. */
const widthMax = 1

export const priceRange: Workload = {
  name: 'price-range',
  client: curl,
  draw: (from) => {
    const random = randomFrom(41)
    const seen = new Set<string>()
    const drawPath = (): string => {
      const field = pick(random, fields)
      const price = from.source.watchAt(drawId(random, from))[field]
      if (price === null) return drawPath()
      const kind = pick(random, kinds)
      const low = `${field}[gte]=${cents(price * (1 - (random() * widthMax) / 2))}`
      const high = `${field}[lte]=${cents(price * (1 + (random() * widthMax) / 2))}`
      const query = kind === 'from' ? low : kind === 'up to' ? high : `${low}&${high}`
      if (seen.has(query)) return drawPath()
      seen.add(query)
      return `${listPath}?${query}`
    }
    // Catalogue prices are round; bounds in cents are almost never drawn twice.
    const cents = (price: number) => (Math.floor(price) + integerBetween(random, 0, 99) / 100).toFixed(2)
    return drawPath
  },
  isNeverRepeated: true,
  bars: { '100k': 0.4, '1m': 0.25 },
}
