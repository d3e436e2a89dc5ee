// Batches the counting of a subject: while one query is in flight, later requests wait, and one query then counts all
// of them. However many requests there are, a subject has one query at a time.
import type { Taken } from './counter.ts'
import type { Question, TakenTogether } from './daily-counts.ts'

interface Waiting extends Omit<PromiseWithResolvers<Taken>, 'promise'> {
  /** 1, or 0 for a caller that only reads the count. */
  readonly count: 0 | 1
}

interface Queue extends Omit<Question, 'count'> {
  waiting: Waiting[]
}

export class TakeBatcher {
  readonly #ask: (question: Question) => Promise<TakenTogether>
  /** One queue per subject, day and limit that has waiting requests; deleted after the last reply. */
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
    const { subject, day, limit } = queue
    // Yields once, so that requests of the same iteration of the event loop share the first query.
    await undefined
    while (queue.waiting.length > 0) {
      const asked = queue.waiting
      queue.waiting = []
      const count = asked.reduce((sum, one) => sum + one.count, 0)
      try {
        grant(asked, await this.#ask({ subject, day, limit, count }))
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    this.#queues.delete(key)
  }
}

function grant(asked: readonly Waiting[], { usedBefore, granted }: TakenTogether): void {
  let used = usedBefore
  for (const { count, resolve } of asked) {
    const isGranted = count === 1 && used < usedBefore + granted
    if (isGranted) used++
    resolve({ used, isGranted })
  }
}
