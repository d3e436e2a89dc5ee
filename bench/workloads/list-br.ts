// The mix of filters from a client that accepts br but not zstd. The service chooses the coding; the report names it.
import { safariFetch } from './clients.ts'
import { listPath, type Workload, walkMix } from './workload.ts'

export const listBr: Workload = {
  name: 'list-br',
  client: safariFetch,
  draw: (from) => walkMix(from, (query) => `${listPath}?${query}`),
  bars: { '100k': 0.75, '1m': 0.7 },
}
