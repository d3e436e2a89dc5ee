// In charge of the events that are being sent: read a few at a time and kept for a while, because one event goes to many
// endpoints, and what they say may be long.
import type { Reader } from '../../storage/database.ts'
import type { PostedEvent } from '../fan-out/event-body.ts'

export interface SentEvent extends PostedEvent {
  readonly id: number
  readonly message_id: string
  readonly created_at: string
}

type Found = ReadonlyMap<number, SentEvent>

/** Of the bodies that are kept, in characters. */
const keptMax = 16 * 1024 * 1024
/** Read together with the one that is wanted. */
const aheadMax = 16

export class EventShelf {
  readonly #reader: Reader
  /** The one that was used longest ago stands first. */
  readonly #kept = new Map<number, SentEvent>()
  readonly #reading = new Map<number, Promise<Found>>()
  #size = 0

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Undefined where it is too old and forgotten. `ahead` are those that will be wanted next. */
  async read(id: number, ahead: Iterable<number> = []): Promise<SentEvent | undefined> {
    return (await (this.#reading.get(id) ?? this.#read(id, ahead))).get(id)
  }

  /** One that is kept. */
  find(id: number): SentEvent | undefined {
    const known = this.#kept.get(id)
    if (known === undefined) return undefined
    this.#kept.delete(id)
    this.#kept.set(id, known)
    return known
  }

  #read(id: number, ahead: Iterable<number>): Promise<Found> {
    const ids = [id]
    for (const next of ahead) {
      if (ids.length > aheadMax) break
      if (!this.#kept.has(next) && !this.#reading.has(next)) ids.push(next)
    }
    const reading = this.#readAll(ids).finally(() => {
      for (const one of ids) this.#reading.delete(one)
    })
    for (const one of ids) this.#reading.set(one, reading)
    return reading
  }

  async #readAll(ids: readonly number[]): Promise<Found> {
    const events = await this.#reader
      .selectFrom('webhook_events')
      .select(['id', 'message_id', 'sequence', 'type', 'at', 'body', 'created_at'])
      .where('id', 'in', ids)
      .execute()
    for (const event of events) {
      this.#kept.set(event.id, event)
      this.#size += event.body.length
    }
    for (const [id, { body }] of this.#kept) {
      if (this.#size <= keptMax || this.#kept.size <= events.length) break
      this.#kept.delete(id)
      this.#size -= body.length
    }
    return new Map(events.map((event) => [event.id, event]))
  }
}
