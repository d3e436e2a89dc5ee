// Changes prices at a steady rate through the service's own write path, and knows which writes were acknowledged. Each
// price is the next number, so a price identifies its write, and later writes of a watch have higher prices.
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import type { Database } from '../../../src/storage/database.ts'
import { setPrice } from '../../catalogue/catalogue-writes.ts'
import type { PriceChange } from './receivers.ts'

export interface Write extends PriceChange {
  /** When it was acknowledged; undefined if it failed, which may mean that the acknowledgement was lost. */
  readonly ackedMs: number | undefined
}

const everyMs = 50
const pauseAfterFailureMs = 100
const stopMaxMs = 15_000
const writesMax = 100_000

export class PriceWriter {
  readonly writes: Write[] = []
  readonly #database: Database
  readonly #watchIds: readonly number[]
  #price = 0
  #isStopped = false
  #isPaused = false
  #running: Promise<void> = Promise.resolve()

  constructor(database: Database, watchIds: readonly number[]) {
    this.#database = database
    this.#watchIds = watchIds
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Returns the next change to make; whoever takes it must make it. */
  next(): PriceChange {
    const price = ++this.#price
    return { watchId: this.#watchIds[price % this.#watchIds.length] ?? 0, price }
  }

  /** Writes through another connection than the steady writes. Throws if that fails. */
  async writeOnce(database: Database, change: PriceChange): Promise<void> {
    await write(database, change)
    this.writes.push({ ...change, ackedMs: performance.now() })
  }

  /** Returns when no write is under way. */
  async pause(): Promise<void> {
    this.#isPaused = true
    await Promise.race([this.#running, delay(stopMaxMs, undefined, { ref: false })])
  }

  resume(): void {
    this.#isPaused = false
    this.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.pause()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && !this.#isPaused && this.writes.length < writesMax) {
      const change = this.next()
      try {
        await write(this.#database, change)
        this.writes.push({ ...change, ackedMs: performance.now() })
        await delay(everyMs)
      } catch {
        this.writes.push({ ...change, ackedMs: undefined })
        await delay(pauseAfterFailureMs)
      }
    }
  }
}

async function write(database: Database, { watchId, price }: PriceChange): Promise<void> {
  await setPrice(database, systemClock, watchId, {
    retail_price_usd: price,
    current_market_price: price + 0.5,
  })
}
