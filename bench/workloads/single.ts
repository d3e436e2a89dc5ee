// One watch by its id. Its body is too small to be compressed.
import { randomFrom } from '../catalogues/random.ts'
import { nodeFetch } from './clients.ts'
import { drawId, listPath, type Workload } from './workload.ts'

export const single: Workload = {
  name: 'single',
  client: nodeFetch,
  draw: (from) => {
    const random = randomFrom(29)
    return () => `${listPath}/${drawId(random, from)}`
  },
  bars: { '100k': 0.75, '1m': 0.75 },
}
