// Reads events to be sent, a few at a time, and caches them: one event goes to many endpoints, and its body may be long.
import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Reader, Tables } from '../../storage/database.ts'
import '../tables.ts'

export type SentEvent = Selectable<Tables['webhook_events']>
type Found = ReadonlyMap<number, SentEvent>

/** Total length of the cached bodies, in characters. */
const bodiesMax = 16 * 1024 * 1024
/** Events read together with the one that is wanted. */
const aheadMax = 16

export class EventCache {
  readonly #reader: Reader
  readonly #cached = new LRUCache<number, SentEvent>({
    maxSize: bodiesMax,
    sizeCalculation: ({ body }) => body.length,
  })
  readonly #reading = new Map<number, Promise<Found>>()

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Undefined for an event that retention has deleted. `ahead` are the events that are wanted next. */
  async read(id: number, ahead: readonly number[]): Promise<SentEvent | undefined> {
    return (await (this.#reading.get(id) ?? this.#read(id, ahead))).get(id)
  }

  /** Finds an event in the cache. */
  find(id: number): SentEvent | undefined {
    return this.#cached.get(id)
  }

  #read(id: number, ahead: readonly number[]): Promise<Found> {
    const isWanted = (next: number) => !this.#cached.has(next) && !this.#reading.has(next)
    const ids = [id, ...ahead.values().filter(isWanted).take(aheadMax)]
    const reading = this.#readAll(ids).finally(() => {
      for (const one of ids) this.#reading.delete(one)
    })
    for (const one of ids) this.#reading.set(one, reading)
    return reading
  }

  async #readAll(ids: readonly number[]): Promise<Found> {
    const events = await this.#reader
      .selectFrom('webhook_events')
      .selectAll()
      .where('id', 'in', ids)
      .execute()
    for (const event of events) this.#cached.set(event.id, event)
    return new Map(events.map((event) => [event.id, event]))
  }
}
