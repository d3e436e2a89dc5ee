// Batches questions to the database: while one query is in flight, later questions wait, and the next query answers all
// of them. However many questions there are, there is one query at a time.

interface Waiting<Question, Answer> {
  readonly question: Question
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Questions per query. */
const batchMax = 1_000

export class AskTogether<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>
  readonly #keyOf: (question: Question) => string
  #waiting: Waiting<Question, Answer>[] = []
  #isAsking = false

  /** `ask` returns the answers in the order of the questions, no two of which have the same key. */
  constructor(
    ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    keyOf: (question: Question) => string,
  ) {
    this.#ask = ask
    this.#keyOf = keyOf
  }

  ask(question: Question): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ question, resolve, reject })
    if (!this.#isAsking) void this.#askAll()
    return promise
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true
    // Yields once, so that questions of the same iteration of the event loop share the first query.
    await undefined
    while (this.#waiting.length > 0) await this.#askBatch(this.#takeBatch())
    this.#isAsking = false
  }

  /** A question whose key is in the batch already waits for the next one. */
  #takeBatch(): Waiting<Question, Answer>[] {
    const batch = new Map<string, Waiting<Question, Answer>>()
    const later: Waiting<Question, Answer>[] = []
    for (const one of this.#waiting) {
      const key = this.#keyOf(one.question)
      if (batch.size === batchMax || batch.has(key)) later.push(one)
      else batch.set(key, one)
    }
    this.#waiting = later
    return [...batch.values()]
  }

  async #askBatch(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(batch.map(({ question }) => question))
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
