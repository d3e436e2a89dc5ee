// In charge of asking once for many: while one question about a subject is under way, those who come after it wait, and
// are then asked for together. However many requests there are, a subject has one question at a time.
import type { Taken } from './counter.ts'
import type { TakenTogether } from './daily-counts.ts'

export interface Question {
  readonly subject: string
  readonly day: string
  readonly limit: number
  readonly count: number
}

interface Waiting {
  /** One, or none for who only wants to know. */
  readonly count: 0 | 1
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

interface Queue {
  readonly subject: string
  readonly day: string
  readonly limit: number
  waiting: Waiting[]
}

export class TakingTogether {
  readonly #ask: (question: Question) => Promise<TakenTogether>
  /** Of those that somebody waits for; gone with the last answer. */
  readonly #queues = new Map<string, Queue>()

  constructor(ask: (question: Question) => Promise<TakenTogether>) {
    this.#ask = ask
  }

  take(subject: string, day: string, limit: number, count: 0 | 1 = 1): Promise<Taken> {
    const { promise, resolve, reject } = Promise.withResolvers<Taken>()
    const key = `${subject} ${day} ${limit}`
    const running = this.#queues.get(key)
    const waiting = { count, resolve, reject }
    if (running !== undefined) running.waiting.push(waiting)
    else {
      const queue = { subject, day, limit, waiting: [waiting] }
      this.#queues.set(key, queue)
      void this.#work(key, queue)
    }
    return promise
  }

  async #work(key: string, queue: Queue): Promise<void> {
    // Those of the same turn of the event loop are in the first question already.
    await undefined
    while (queue.waiting.length > 0) {
      const asked = queue.waiting
      queue.waiting = []
      await this.#answer(queue, asked)
    }
    this.#queues.delete(key)
  }

  async #answer({ subject, day, limit }: Queue, asked: readonly Waiting[]): Promise<void> {
    const count = asked.reduce((sum, one) => sum + one.count, 0)
    try {
      const { usedBefore, granted } = await this.#ask({ subject, day, limit, count })
      let used = usedBefore
      for (const { count: wanted, resolve } of asked) {
        const isGranted = wanted === 1 && used < usedBefore + granted
        if (isGranted) used++
        resolve({ used, isGranted })
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}
