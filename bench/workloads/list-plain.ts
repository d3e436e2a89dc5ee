// The mix of filters, uncompressed, as curl requests it.
import { curl } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

export const listPlain: Workload = {
  name: 'list-plain',
  client: curl,
  draw: (from) => walkMix(from, (query) => `${listPath}?${query}`),
  bars: { '100k': 0.8, '1m': 0.75 },
}
