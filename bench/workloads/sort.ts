// The mix of filters, sorted by a price.
import { pick, randomFrom } from '../catalogues/random.ts'
import { pythonRequests } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

const orders = ['current_market_price', '-current_market_price', 'retail_price_usd', '-retail_price_usd']

export const sort: Workload = {
  name: 'sort',
  client: pythonRequests,
  draw: (from) => {
    const random = randomFrom(37)
    return walkMix(from, (query) => `${listPath}?${query}&sort=${pick(random, orders)}`)
  },
  bars: { '100k': 0.6, '1m': 0.5 },
}
