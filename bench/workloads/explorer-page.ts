// The pages of the explorer, as a browser requests them: lists with the filters of the mix, and pages of single
// watches.
import { randomFrom } from '../catalogues/random.ts'
import { chromePage } from './clients.ts'
import { drawId, type Workload, walkMix } from './workload.ts'

/** Visitors look at lists more often than at single watches. */
const listShare = 0.7

export const explorerPage: Workload = {
  name: 'explorer-page',
  client: chromePage,
  draw: (from) => {
    const random = randomFrom(47)
    const nextList = walkMix(from, (query) => `/explore?${query}`)
    return () => (random() < listShare ? nextList() : `/explore/watches/${drawId(random, from)}`)
  },
}
