// Finds the endpoints that get an event: those that select its type and whose filter, if they have one, matches.
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import type { WatchState } from '../../catalogue/watches.ts'
import type { Reader } from '../../storage/database.ts'
import { type EventType, eventTypes, isSelected } from '../event-types.ts'

/** Compiles filters into a function that returns those that a watch matches. */
type CompileFilters = (filters: Iterable<string>, brands: readonly BrandRow[]) => Match
type Match = (watch: WatchState) => ReadonlySet<string>

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
  readonly states: readonly WatchState[]
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
  readonly #byType: ReadonlyMap<EventType, ReturnType<typeof listOf>>
  readonly #match: Match

  private constructor(version: number, rows: readonly SubscriberRow[], flips: Flips, match: Match) {
    this.version = version
    this.flips = flips
    this.#match = match
    const sequences = rows.map(({ last_sequence }) => last_sequence)
    this.since = sequences.length === 0 ? undefined : sequences.reduce((one, other) => Math.min(one, other))
    this.#byType = new Map(eventTypes.map((type) => [type, listOf(type, rows)]))
  }

  static async read(view: Reader, version: number, parts: SubscriberParts): Promise<Subscribers> {
    const all = await readRows(view, parts.webhooksMax)
    const flips = {
      leaving: all.filter((row) => row.isEntitled && !row.isAllowed).map(({ id }) => id),
      returning: all.filter((row) => !row.isEntitled && row.isAllowed).map(({ id }) => id),
    }
    const rows = all.filter((row) => row.isEntitled && row.isAllowed && row.events.length > 0)
    const filters = new Set(rows.map(({ filter }) => filter).filter((filter) => filter !== null))
    const brands = filters.size === 0 ? [] : await readBrands(view)
    return new Subscribers(version, rows, flips, parts.compileFilters(filters, brands))
  }

  /** The number of endpoints without a filter that select a type, for the type that most of them select. */
  get plainCount(): number {
    return Math.max(...this.#byType.values().map(({ plain }) => plain.length))
  }

  of({ type, states, isUnknown }: EventSubject): Subscriber[] {
    const { plain, filtered } = this.#byType.get(type) ?? listOf(type, [])
    if (filtered.size === 0) return plain
    if (isUnknown) return [...plain, ...[...filtered.values()].flat()]
    const matching = new Set(states.flatMap((state) => [...this.#match(state)]))
    return [...plain, ...[...matching].flatMap((filter) => filtered.get(filter) ?? [])]
  }
}

/** Lists the endpoints that select the type: those without a filter, and those of each filter. */
function listOf(type: EventType, rows: readonly SubscriberRow[]) {
  const plain: Subscriber[] = []
  const filtered = new Map<string, Subscriber[]>()
  for (const { id, events, filter, last_sequence: since } of rows) {
    if (!isSelected(events, type)) continue
    if (filter === null) plain.push({ id, since })
    // Filters match watches only.
    else if (type.startsWith('watch.')) filtered.getOrInsertComputed(filter, () => []).push({ id, since })
  }
  return { plain, filtered }
}

type SubscriberRow = Awaited<ReturnType<typeof readRows>>[number]

/** Includes paused endpoints: their deliveries wait until they are active again. */
async function readRows(view: Reader, webhooksMax: SubscriberParts['webhooksMax']) {
  const rows = await view
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .select(['webhook_endpoints.id', 'account_id', 'plan', 'events', 'filter'])
    .select(['last_sequence', 'is_entitled', 'webhook_endpoints.status', 'accounts.status as account_status'])
    .orderBy('webhook_endpoints.id')
    .execute()
  // Most endpoints have the same list, so each distinct text is parsed once.
  const parsed = new Map<string, readonly string[]>()
  const counts = new Map<string, number>()
  return rows.map(({ id, account_id, plan, events, filter, last_sequence, ...row }) => {
    const count = (counts.get(account_id) ?? 0) + 1
    counts.set(account_id, count)
    return {
      id,
      filter,
      last_sequence,
      isEntitled: row.is_entitled === 1,
      // The oldest endpoints of each account, as many as its plan allows, and none of a suspended account.
      isAllowed: row.account_status !== 'suspended' && count <= webhooksMax(plan),
      // None if the endpoint is disabled. It counts towards the limit of the plan all the same.
      events: row.status === 'disabled' ? [] : parsed.getOrInsertComputed(events, (text) => JSON.parse(text)),
    }
  })
}
