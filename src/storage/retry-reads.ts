// Repeats a read that was cut when its connection broke, once, on another connection. Only reads outside transactions:
// whether a write that was cut has happened is not known, so its caller must decide.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { isUnreachable } from './unreachable.ts'

const read = /^select\b/i
const locking = /\bfor (?:update|key share|share|no key update)\b/i

export function retryReads(pool: PostgresPool): PostgresPool {
  return {
    connect: async () => new RetryingClient(pool, await connectTwice(pool)),
    end: () => pool.end(),
    options: pool.options,
  }
}

function connectTwice(pool: PostgresPool): Promise<PostgresPoolClient> {
  return pool.connect().catch((error) => {
    if (isLost(error)) return pool.connect()
    throw error
  })
}

/** Whether another attempt may help. One that has waited in vain for its time must not wait that long again. */
function isLost(error: unknown): boolean {
  return isUnreachable(error) && !(error as Error).message.includes('timeout')
}

class RetryingClient implements PostgresPoolClient {
  readonly #pool: PostgresPool
  #client: PostgresPoolClient
  #isInTransaction = false
  #isReleased = false

  constructor(pool: PostgresPool, client: PostgresPoolClient) {
    this.#pool = pool
    this.#client = client
  }

  get processID(): number {
    return (this.#client as unknown as { processID: number }).processID
  }

  // biome-ignore lint/suspicious/noExplicitAny: one method for texts and cursors, as the driver has it
  query(query: any, parameters?: any): any {
    if (typeof query !== 'string') return this.#client.query(query)
    if (/^(?:begin|start transaction)\b/.test(query)) this.#isInTransaction = true
    const isRepeatable = !this.#isInTransaction && read.test(query) && !locking.test(query)
    const result = this.#client.query(query, parameters)
    return isRepeatable ? result.catch((error) => this.#repeat(error, query, parameters)) : result
  }

  release(): void {
    if (!this.#isReleased) this.#client.release()
  }

  async #repeat(error: unknown, query: string, parameters: unknown[]) {
    if (!isLost(error)) throw error
    const broken = this.#client as { release(isBroken: boolean): void }
    // First: where all connections broke at once, everyone would wait for a place that only another can free.
    broken.release(true)
    this.#isReleased = true
    this.#client = await this.#pool.connect()
    this.#isReleased = false
    return this.#client.query(query, parameters)
  }
}
