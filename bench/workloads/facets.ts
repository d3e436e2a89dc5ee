// The mix of filters with two facets beside the list, as a shop's page of results needs them.
import { pick, randomFrom } from '../catalogues/random.ts'
import { nodeFetch } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

/** Keys with few values. */
const pairs = [
  'dial_color,movement_type',
  'case_material,case_shape',
  'crystal,bracelet_material',
  'movement_type,case_material',
]

export const facets: Workload = {
  name: 'facets',
  client: nodeFetch,
  draw: (from) => {
    const random = randomFrom(31)
    return walkMix(from, (query) => `${listPath}?${query}&facets=${pick(random, pairs)}`)
  },
  bars: { '100k': 0.5, '1m': 0.4 },
}
