// Counts for any number of processes: in Redis, with one atomic script, or in the database where not all of them reach
// the same Redis. Redis is a cache of the counts; the database is authoritative, and gets the totals every 50 ms. Which
// of the two counts is agreed on by all processes (`agreement`), so that no request is granted in both.
import { atMost } from '../../clock.ts'
import { Failure, Problem } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { AskTogether } from '../ask-together.ts'
import type { Database } from '../database.ts'
import { Agreement, type Place } from './agreement.ts'
import type { Counter, ReadTotal, Taken } from './counter.ts'
import { CountsByDay } from './counts-by-day.ts'
import {
  type CountKey,
  countKey,
  type Question,
  raiseCounts,
  readCounts,
  type TakenTogether,
  takeFromDatabase,
  type Wanted,
} from './daily-counts.ts'
import { type ChangedCounts, flushChanges } from './flush-changes.ts'
import { RedisLink, RedisLost } from './redis-link.ts'
import { parseRedisUrl } from './redis-url.ts'
import { probeArguments, redisKey, takeArguments, takeScript } from './take-script.ts'
import { TakeBatcher } from './take-together.ts'

interface Count extends CountKey {
  /** The highest total this process has seen. */
  seen: number
  /** The generation in which it was last counted in Redis. */
  generation: number
  /** When the database was last asked for its total. */
  askedMs: number
}

export interface AgreedCounterParts {
  readonly redisUrl: string | undefined
  readonly database: Database
  readonly log: Log
  readonly onMoved: (place: 'redis' | 'database') => void
}

/** A database that does not respond must not keep the process from ending: it gets these counts from others, or Redis. */
const closeMaxMs = 2_500
/** How old a total of the database may be for the first count in Redis, which may have lost what others counted there. */
const totalMaxMs = 100
/** How often one request is counted again after Redis was lost or turned out to be outdated. */
const attemptsMax = 4

export async function openAgreedCounter(parts: AgreedCounterParts): Promise<Counter> {
  const counter = new AgreedCounter(parts)
  await counter.open()
  return counter
}

class AgreedCounter implements Counter {
  readonly #database: Database
  readonly #link: RedisLink | undefined
  readonly #agreement: Agreement
  readonly #counts = new CountsByDay<Count>()
  readonly #together = new TakeBatcher((question) => this.#ask(question))
  readonly #totals: AskTogether<CountKey, number>
  readonly #taking: AskTogether<Wanted, TakenTogether>
  readonly #changed: ChangedCounts<Count>
  /** Questions that are being answered, and those who wait until none is. */
  #open = 0
  #onIdle: (() => void)[] = []

  constructor({ redisUrl, database, log, onMoved }: AgreedCounterParts) {
    this.#database = database
    this.#link = redisUrl === undefined ? undefined : openLink(redisUrl, () => this.#agreement.look())
    this.#totals = new AskTogether((keys) => readCounts(database, keys), countKey)
    this.#taking = new AskTogether(
      (wanted: readonly Wanted[]) => takeFromDatabase(database, wanted),
      countKey,
    )
    this.#changed = flushChanges(log, (counts) => this.#write(counts))
    this.#agreement = new Agreement({
      database,
      log,
      redis: this.#link,
      finish: () => this.#finish(),
      onReturn: () => this.#writeAll(),
      onMoved,
    })
  }

  async open(): Promise<void> {
    await this.#link?.open()
    await this.#agreement.join()
  }

  take(subject: string, day: string, limit: number): Promise<Taken> {
    return this.#together.take(subject, day, limit)
  }

  async takeAll(subject: string, day: string, limit: number): Promise<number> {
    return (await this.#ask({ subject, day, limit, count: limit })).usedBefore
  }

  async read(subject: string, day: string): Promise<number> {
    return (await this.#together.take(subject, day, 0, 0)).used
  }

  learn(subject: string, { day, used, askedMs }: ReadTotal): void {
    const count = this.#countOf({ subject, day })
    count.seen = Math.max(count.seen, used)
    count.askedMs = askedMs
  }

  async close(): Promise<void> {
    let isWritten = false
    const written = this.#changed.stop().then(() => {
      isWritten = true
    })
    try {
      await atMost(closeMaxMs, written)
    } finally {
      // A process that has not written its counts does not say that it has: the others then wait until it is dead.
      await atMost(closeMaxMs, this.#agreement.leave(isWritten)).catch(() => {})
      this.#link?.close()
    }
  }

  async #ask(question: Question): Promise<TakenTogether> {
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const place = this.#agreement.place ?? (await this.#agreement.waitForPlace())
      const count = this.#countOf(question)
      this.#open++
      try {
        const taken = place.isRedis
          ? await this.#askRedis(place, count, question)
          : await this.#taking.ask({ ...question, floor: count.seen })
        // What was granted after the agreement had ended is wasted, but granting it might be too much.
        if (taken !== undefined && !this.#agreement.isOverdue) {
          this.#note(count, taken, place)
          return taken
        }
      } catch (error) {
        if (!(error instanceof RedisLost)) throw error
      } finally {
        this.#open--
        if (this.#open === 0) for (const tell of this.#onIdle.splice(0)) tell()
      }
    }
    throw new Problem('unavailable')
  }

  /** Returns undefined if the question must be asked again, perhaps elsewhere. */
  async #askRedis(place: Place, count: Count, question: Question): Promise<TakenTogether | undefined> {
    const { generation } = place
    const isKnown = count.generation === generation
    // Without the database, a count that another process has begun is continued all the same.
    const isSeeded = !isKnown && !this.#agreement.isAway
    if (isSeeded && !isRecent(count, place)) {
      count.seen = Math.max(count.seen, await this.#totals.ask(count))
    }
    const args = takeArguments(question, { seen: count.seen, isSeeded, generation })
    const [usedBefore = -1, granted = 0] =
      (await this.#link?.run(redisKey(count.subject, count.day), args)) ?? []
    if (usedBefore >= 0) return { usedBefore, granted }
    if (usedBefore === -2) this.#agreement.distrust()
    else if (isKnown) await this.#agreement.renew(place)
    else throw new Problem('unavailable')
    return undefined
  }

  #note(count: Count, { usedBefore, granted }: TakenTogether, { isRedis, generation }: Place): void {
    const used = usedBefore + granted
    if (isRedis) {
      count.generation = generation
      if (used > count.seen) this.#changed.add(count)
    }
    count.seen = Math.max(count.seen, used)
  }

  /** Waits for open questions, and writes all counts. No new question is asked meanwhile, because there is no place. */
  async #finish(): Promise<void> {
    if (this.#open > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
    await this.#changed.flush()
  }

  /** The database may have lost what was written last. */
  #writeAll(): void {
    for (const count of this.#counts.all()) if (count.seen > 0) this.#changed.add(count)
  }

  #countOf({ subject, day }: CountKey): Count {
    const known = this.#counts.find(subject, day)
    if (known !== undefined) return known
    const count = { subject, day, seen: 0, generation: 0, askedMs: Number.NEGATIVE_INFINITY }
    this.#counts.set(subject, day, count)
    return count
  }

  async #write(counts: readonly Count[]): Promise<void> {
    const totals = await raiseCounts(
      this.#database,
      counts.map(({ subject, day, seen }) => ({ subject, day, used: seen })),
    )
    counts.forEach((count, at) => {
      count.seen = Math.max(count.seen, totals[at] ?? 0)
    })
  }
}

/** Whether the total was read lately, and after all processes had written what they counted elsewhere before. */
function isRecent({ askedMs }: Count, { sinceMs }: Place): boolean {
  return askedMs >= sinceMs && performance.now() - askedMs < totalMaxMs
}

function openLink(url: string, onChange: () => void): RedisLink {
  try {
    return new RedisLink({ target: parseRedisUrl(url), script: takeScript, probe: probeArguments, onChange })
  } catch (error) {
    throw new Failure(`REDIS_URL ${(error as Error).message}.`)
  }
}
