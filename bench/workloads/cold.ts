// Combinations of filters that no request had before, in gzip: the first page, as for someone who has just chosen a
// new combination.
import { randomFrom } from '../catalogues/random.ts'
import { drawNewCombination } from '../measure/requests.ts'
import { pythonRequests } from './clients.ts'
import { listPath, type Workload } from './workload.ts'

export const cold: Workload = {
  name: 'cold',
  client: pythonRequests,
  draw: ({ mix, source }) => {
    const random = randomFrom(13)
    const seen = new Set(mix.map(({ meaning }) => meaning))
    return () => `${listPath}?${drawNewCombination(random, source, seen).query}`
  },
  isNeverRepeated: true,
  bars: { '100k': 0.3, '1m': 0.25 },
}
