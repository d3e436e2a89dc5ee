// The mix of filters as Node's fetch requests it, which accepts gzip.
import { nodeFetch } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

export const listGzip: Workload = {
  name: 'list-gzip',
  client: nodeFetch,
  draw: (from) => walkMix(from, (query) => `${listPath}?${query}`),
  bars: { '100k': 0.75, '1m': 0.7 },
}
