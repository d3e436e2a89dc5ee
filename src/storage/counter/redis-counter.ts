// Counts in Redis for any number of processes, with one atomic script. Redis is a cache of the counts; the database is
// authoritative, and gets the totals every 50 ms. While Redis cannot be reached, requests are counted in the database.
// A Redis that comes back empty starts from the database's totals, so no count ever restarts from zero.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../database.ts'
import type { Counter, Taken } from './counter.ts'
import { CountsByDay } from './counts-by-day.ts'
import {
  type Question,
  raiseCounts,
  readCount,
  type TakenTogether,
  takeFromDatabase,
} from './daily-counts.ts'
import { type ChangedCounts, flushChanges, flushMs } from './flush-changes.ts'
import { RedisLink, RedisLost } from './redis-link.ts'
import { TakeBatcher } from './take-together.ts'

/** How long all processes count in the database after one of them could not reach Redis. */
const directMs = 1_000
/** Time, even under load, for every process to write what it counted in Redis and to learn that it must stop. */
const joinMs = 6 * flushMs
/** Lifetime of a count in Redis: it is useless once its day has ended. */
const keptMs = 2 * 24 * 3_600_000

/**
 * Takes up to ARGV[1] of what the limit ARGV[2] allows. ARGV[3] is the number the caller knows to be used, and ARGV[4]
 * is 1 if that includes the database's total. If not, a missing count may be a lost one: the script returns -1 instead
 * of starting a new count. ARGV[5] is the lifetime of the count in ms.
 */
const takeScript = `
local stored = redis.call('GET', KEYS[1])
if not stored and ARGV[4] == '0' then return {-1, 0} end
local used = math.max(tonumber(stored or '0'), tonumber(ARGV[3]))
local granted = math.max(0, math.min(tonumber(ARGV[1]), tonumber(ARGV[2]) - used))
redis.call('SET', KEYS[1], string.format('%.0f', used + granted), 'PX', ARGV[5])
return {used, granted}`

interface Count {
  readonly subject: string
  readonly day: string
  /** The highest total this process has seen. */
  seen: number
  /** Requests are counted in the database until this time; 0 if they are counted in Redis. */
  directUntilMs: number
  /** The connection to Redis on which the count was last compared with the database. */
  connection: number
  /** Whether all processes have had the time to start counting in the database. */
  isJoined: boolean
}

export async function openRedisCounter(
  url: string,
  database: Database,
  clock: Clock,
  log: Log,
): Promise<Counter> {
  const link = new RedisLink(url, takeScript, log)
  await link.open()
  return new RedisCounter(link, database, clock, log)
}

class RedisCounter implements Counter {
  readonly #link: RedisLink
  readonly #database: Database
  readonly #clock: Clock
  readonly #counts = new CountsByDay<Count>()
  readonly #together = new TakeBatcher((question) => this.#ask(question))
  readonly #changed: ChangedCounts<Count>

  constructor(link: RedisLink, database: Database, clock: Clock, log: Log) {
    this.#link = link
    this.#database = database
    this.#clock = clock
    this.#changed = flushChanges(log, (counts) => this.#write(counts))
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

  async close(): Promise<void> {
    try {
      await this.#changed.stop()
    } finally {
      this.#link.close()
    }
  }

  async #ask(question: Question): Promise<TakenTogether> {
    const count = this.#countOf(question)
    if (!this.#link.isConnected) return this.#askDatabase(count, question, true)
    if (this.#isBehind(count)) await this.#catchUp(count)
    try {
      const taken = count.directUntilMs > 0 ? undefined : await this.#askRedis(count, question)
      return taken ?? (await this.#askDatabase(count, question, false))
    } catch (error) {
      if (!(error instanceof RedisLost)) throw error
      return this.#askDatabase(count, question, true)
    }
  }

  /** Returns undefined if requests must be counted in the database for now. */
  async #askRedis(count: Count, question: Question): Promise<TakenTogether | undefined> {
    const taken = await this.#run(count, question, false)
    if (taken !== undefined) return taken
    await this.#catchUp(count)
    return count.directUntilMs > 0 ? undefined : this.#run(count, question, true)
  }

  async #run(count: Count, question: Question, isSeeded: boolean): Promise<TakenTogether | undefined> {
    const numbers = [question.count, question.limit, count.seen, isSeeded ? 1 : 0, keptMs]
    const [usedBefore = -1, granted = 0] = await this.#link.run(
      `watchdata:count:${count.subject}:${count.day}`,
      numbers.map(String),
    )
    if (usedBefore < 0) return undefined
    count.isJoined = false
    if (usedBefore + granted > count.seen) {
      count.seen = usedBefore + granted
      this.#changed.add(count)
    }
    return { usedBefore, granted }
  }

  /** A process without Redis makes all processes count here, or two of them could grant the same requests. */
  async #askDatabase(count: Count, question: Question, isLost: boolean): Promise<TakenTogether> {
    if (isLost && !count.isJoined && question.count > 0) {
      await this.#takeDirectly(count, { ...question, count: 0 }, true)
      await delay(joinMs)
      count.isJoined = true
    }
    return this.#takeDirectly(count, question, isLost)
  }

  async #takeDirectly(count: Count, question: Question, isLost: boolean): Promise<TakenTogether> {
    if (isLost) count.directUntilMs = this.#clock.nowMs() + directMs
    const wanted = { ...question, floor: count.seen, directMs: isLost ? directMs : undefined }
    const taken = await takeFromDatabase(this.#database, wanted)
    count.seen = Math.max(count.seen, taken.usedBefore + taken.granted)
    return taken
  }

  /** Whether the database may know of requests that this Redis does not. */
  #isBehind({ directUntilMs, connection }: Count): boolean {
    if (directUntilMs > 0) return this.#clock.nowMs() >= directUntilMs
    return connection !== this.#link.connection
  }

  async #catchUp(count: Count): Promise<void> {
    const { connection } = this.#link
    // After this wait, what other processes have counted in the database is visible.
    const waitMs = count.directUntilMs > 0 ? count.directUntilMs + joinMs - this.#clock.nowMs() : 0
    if (waitMs > 0) await delay(waitMs)
    const { used, directLeftMs } = await readCount(this.#database, count.subject, count.day)
    count.seen = Math.max(count.seen, used)
    count.connection = connection
    this.#setDirect(count, directLeftMs)
  }

  #setDirect(count: Count, leftMs: number): void {
    count.directUntilMs = leftMs > 0 ? this.#clock.nowMs() + leftMs : 0
  }

  #countOf({ subject, day }: Question): Count {
    const known = this.#counts.find(subject, day)
    if (known !== undefined) return known
    const count = { subject, day, seen: 0, directUntilMs: 0, connection: -1, isJoined: false }
    this.#counts.set(subject, day, count)
    return count
  }

  async #write(counts: readonly Count[]): Promise<void> {
    const totals = await raiseCounts(
      this.#database,
      counts.map(({ subject, day, seen }) => ({ subject, day, used: seen })),
    )
    counts.forEach((count, at) => {
      count.seen = Math.max(count.seen, totals[at]?.used ?? 0)
      this.#setDirect(count, totals[at]?.directLeftMs ?? 0)
    })
  }
}
