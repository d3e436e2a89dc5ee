// The mix of filters from a client that still has each response and sends its ETag: all responses are 304.
import { nodeFetch } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

export const notModified: Workload = {
  name: 'not-modified',
  client: nodeFetch,
  draw: (from) => walkMix(from, (query) => `${listPath}?${query}`),
  isConditional: true,
  bars: { '100k': 0.75, '1m': 0.75 },
}
