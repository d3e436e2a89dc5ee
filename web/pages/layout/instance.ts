// In charge of the shape of what the pages are told about this instance. The server fills it in; the pages ask
// nothing else and know no database.

export interface Instance {
  version: string
  /** Where the service is reached, without a slash at the end: `http://localhost:8080`. */
  baseUrl: string
  engine: 'sqlite' | 'postgres'
  watches: number
  brands: number
  /** The sequence of the newest change; 0 when nothing was ever written. */
  sequence: number
  lastChangeAt: string | undefined
  startedAt: string
  now: string
  ready: boolean
  plans: readonly Plan[]
  /** The watch that the list answers first, as indented JSON; empty when the catalogue is. */
  example: string
}

export interface Plan {
  name: string
  /** As they are counted on this instance. */
  requestsPerDay: number
  usdPerMonth: number
  /** What it lets its holder ask for: `prices`, `changes`, `webhooks`, `export`. */
  grants: readonly string[]
  /** How far back prices are told; absent for all there are. */
  priceHistoryDays?: number
  webhooksMax: number
}
