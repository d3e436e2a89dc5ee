// Lets connections that had to wait go on, for a few milliseconds in one run of the event loop, so that new requests of
// others are served in between. Each connection gets one turn: a thousand connections with 16 pipelined requests each would
// otherwise be served to the end before anybody else.
import { limits } from './limits.ts'

export class StartQueue<Item> {
  readonly #goOn: (item: Item) => void
  /** In the order in which they were added. */
  readonly #waiting = new Set<Item>()
  #isScheduled = false
  /** Until when the queue stands aside for new connections. */
  #asideUntilMs = 0
  #hasArrival = false

  /** `goOn` reads or starts the next request of a connection, if it still may. */
  constructor(goOn: (item: Item) => void) {
    this.#goOn = goOn
  }

  readonly add = (item: Item): void => {
    this.#waiting.add(item)
    this.#schedule()
  }

  /**
   * A connection has arrived. Node accepts one in each run of the event loop: the queue stands aside for a moment, so that
   * those behind do not wait for as many turns.
   */
  readonly standAside = (): void => {
    this.#hasArrival = true
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#run)
  }

  readonly #run = (): void => {
    this.#isScheduled = false
    const nowMs = performance.now()
    if (this.#isAside(nowMs)) {
      this.#schedule()
      return
    }
    const untilMs = nowMs + limits.startMs
    let started = 0
    for (const item of this.#waiting) {
      this.#waiting.delete(item)
      this.#goOn(item)
      if (++started === limits.startedAtOnce || performance.now() >= untilMs) break
    }
    if (this.#waiting.size > 0) this.#schedule()
  }

  #isAside(nowMs: number): boolean {
    const { asideMs } = limits
    if (!this.#hasArrival) return false
    this.#hasArrival = false
    // After each such moment the queue has its turn: connections may arrive without end.
    if (nowMs > this.#asideUntilMs + asideMs) this.#asideUntilMs = nowMs + asideMs
    return nowMs < this.#asideUntilMs
  }
}
