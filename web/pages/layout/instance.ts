// The type of what the pages show about this instance. The server fills it in, so that the pages need no database.

export interface Instance {
  version: string
  /** The public URL of the service, without a trailing slash: `http://localhost:8080`. */
  baseUrl: string
  engine: 'sqlite' | 'postgres'
  watches: number
  brands: number
  /** The sequence of the newest change; 0 when there are no changes. */
  sequence: number
  lastChangeAt: string | undefined
  startedAt: string
  now: string
  ready: boolean
  plans: readonly Plan[]
  /** The first watch of the list, as indented JSON; empty when the catalogue is empty. */
  example: string
}

export interface Plan {
  name: string
  /** The daily quota on this instance. */
  requestsPerDay: number
  usdPerMonth: number
  /** What the plan gives access to: `prices`, `changes`, `webhooks`, `export`. */
  grants: readonly string[]
  /** How many days of price history the plan includes; absent means unlimited. */
  priceHistoryDays?: number
  webhooksMax: number
}
