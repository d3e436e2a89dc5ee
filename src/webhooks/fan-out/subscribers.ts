// Finds the endpoints that get an event: those that select its type and whose filter, if they have one, matches.
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import type { Reader } from '../../storage/database.ts'
import { type EventType, eventTypes, isSelected } from '../event-types.ts'

/** The fields of a watch that filters are compared with. */
export interface ComparedWatch {
  readonly id: number
  readonly brand: string
  readonly collection: string
  readonly reference_number: string
  readonly retail_price_usd: number | null
  readonly current_market_price: number | null
  readonly specs: Readonly<Record<string, unknown>>
}

/** Compiles filters into a function that returns those that a watch matches. */
type CompileFilters = (
  filters: Iterable<string>,
  brands: readonly BrandRow[],
) => (watch: ComparedWatch) => ReadonlySet<string>

export interface SubscriberParts {
  readonly compileFilters: CompileFilters
  /** How many webhooks the plan allows. If an account has more, only the oldest get events. */
  readonly webhooksMax: (plan: string) => number
}

export interface Subscriber {
  readonly id: number
  /** The endpoint gets events with a higher sequence. */
  readonly since: number
}

/** The type of an event and, if it is about a watch, the watch before and after the change. */
export interface EventSubject {
  readonly type: EventType
  readonly states: readonly ComparedWatch[]
  /** The log does not know what the watch was: the event goes to every endpoint whose filter may have matched it. */
  readonly isUnknown: boolean
}

/** Endpoints that their account is no longer, or again, entitled to: its plan or its suspension has changed. */
export interface Flips {
  readonly leaving: readonly number[]
  readonly returning: readonly number[]
}

export class Subscribers {
  readonly version: number
  readonly flips: Flips
  /** The lowest sequence that any endpoint has reached; undefined if there are no endpoints. */
  readonly since: number | undefined
  readonly #byType = new Map<EventType, Subscriber[]>()
  readonly #byFilter = new Map<EventType, Map<string, Subscriber[]>>()
  readonly #match: (watch: ComparedWatch) => ReadonlySet<string>

  private constructor(
    version: number,
    rows: readonly SubscriberRow[],
    flips: Flips,
    match: (watch: ComparedWatch) => ReadonlySet<string>,
  ) {
    this.version = version
    this.flips = flips
    this.#match = match
    this.since = rows.length === 0 ? undefined : rows.reduce(least, Number.POSITIVE_INFINITY)
    for (const type of eventTypes) this.#list(type, rows)
  }

  static async read(view: Reader, version: number, parts: SubscriberParts): Promise<Subscribers> {
    const all = await readRows(view)
    const entitled = findEntitled(all, parts.webhooksMax)
    const flips = {
      leaving: all.filter(({ id, isEntitled }) => isEntitled && !entitled.has(id)).map(({ id }) => id),
      returning: all.filter(({ id, isEntitled }) => !isEntitled && entitled.has(id)).map(({ id }) => id),
    }
    const rows = all.filter(({ id, isEntitled, events }) => {
      return isEntitled && entitled.has(id) && events.length > 0
    })
    const filters = new Set(rows.map(({ filter }) => filter).filter((filter) => filter !== null))
    const brands = filters.size === 0 ? [] : await readBrands(view)
    return new Subscribers(version, rows, flips, parts.compileFilters(filters, brands))
  }

  /** The number of endpoints without a filter that select a type, for the type that most of them select. */
  get plainCount(): number {
    return Math.max(...eventTypes.map((type) => this.#byType.get(type)?.length ?? 0))
  }

  of({ type, states, isUnknown }: EventSubject): Subscriber[] {
    const found = [...(this.#byType.get(type) ?? [])]
    const filtered = this.#byFilter.get(type)
    if (filtered === undefined) return found
    if (isUnknown) return [...found, ...[...filtered.values()].flat()]
    const matching = new Set<string>()
    for (const state of states) for (const filter of this.#match(state)) matching.add(filter)
    for (const filter of matching) found.push(...(filtered.get(filter) ?? []))
    return found
  }

  #list(type: EventType, rows: readonly SubscriberRow[]): void {
    const plain: Subscriber[] = []
    const filtered = new Map<string, Subscriber[]>()
    for (const { id, events, filter, last_sequence: since } of rows) {
      if (!isSelected(events, type)) continue
      if (filter === null) plain.push({ id, since })
      // Filters match watches only.
      else if (type.startsWith('watch.')) {
        const same = filtered.get(filter)
        if (same === undefined) filtered.set(filter, [{ id, since }])
        else same.push({ id, since })
      }
    }
    this.#byType.set(type, plain)
    if (filtered.size > 0) this.#byFilter.set(type, filtered)
  }
}

interface SubscriberRow {
  readonly id: number
  readonly account_id: string
  readonly plan: string
  readonly isSuspended: boolean
  readonly isEntitled: boolean
  /** Empty if the endpoint is disabled. It counts towards the limit of the plan all the same. */
  readonly events: readonly string[]
  readonly filter: string | null
  readonly last_sequence: number
}

/** Includes paused endpoints: their deliveries wait until they are active again. */
async function readRows(view: Reader): Promise<SubscriberRow[]> {
  const rows = await view
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .select([
      'webhook_endpoints.id',
      'account_id',
      'plan',
      'events',
      'filter',
      'last_sequence',
      'is_entitled',
    ])
    .select(['webhook_endpoints.status as status', 'accounts.status as account_status'])
    .orderBy('webhook_endpoints.id')
    .execute()
  // Most endpoints have the same list, so each distinct text is parsed once.
  const known = new Map<string, readonly string[]>()
  const parse = (events: string) => {
    const parsed = known.get(events) ?? (JSON.parse(events) as string[])
    known.set(events, parsed)
    return parsed
  }
  return rows.map(({ events, is_entitled, status, account_status, ...row }) => ({
    ...row,
    isSuspended: account_status === 'suspended',
    isEntitled: is_entitled === 1,
    events: status === 'disabled' ? [] : parse(events),
  }))
}

/** Returns the oldest endpoints of each account, as many as its plan allows, and none of a suspended account. */
function findEntitled(
  rows: readonly SubscriberRow[],
  webhooksMax: (plan: string) => number,
): ReadonlySet<number> {
  const counts = new Map<string, number>()
  const entitled = new Set<number>()
  for (const { id, account_id, plan, isSuspended } of rows) {
    const count = (counts.get(account_id) ?? 0) + 1
    counts.set(account_id, count)
    if (!isSuspended && count <= webhooksMax(plan)) entitled.add(id)
  }
  return entitled
}

function least(least: number, { last_sequence }: SubscriberRow): number {
  return Math.min(least, last_sequence)
}
