// Follows the change log from its start, as the search index or a feed would, and counts gaps and repeats in the
// sequence 1, 2, 3 …
import { follow } from '../../src/changes/follow.ts'
import { type Change, type Head, readAfter } from '../../src/changes/log.ts'
import type { Database } from '../../src/storage/database.ts'

export interface ReaderPlan {
  readonly batchMax: number
  readonly pollMs: number
  /** False simulates that no notification ever arrives. */
  readonly isWoken: boolean
}

export class LogReader {
  readonly plan: ReaderPlan
  seen = 0
  gaps = 0
  repeats = 0
  /** Maps each sequence to the time when it was read. */
  readonly seenAtMs = new Map<number, number>()
  readonly failures: string[] = []
  readonly #stop = new AbortController()
  readonly #following: Promise<void>
  #sequence: number
  #onSeen = () => {}

  constructor(database: Database, head: Head, plan: ReaderPlan) {
    this.plan = plan
    this.#sequence = head.sequence
    this.#following = this.#follow(plan.isWoken ? database : deafen(database), head)
  }

  /** Waits until the reader has reached the sequence, at most `maxMs`, then stops it. */
  async finishAt(sequence: number, maxMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxMs)
    this.#onSeen = () => (this.#sequence >= sequence ? resolve() : undefined)
    this.#onSeen()
    await promise
    clearTimeout(timer)
    await this.stop()
    // A change that never arrived is a gap as well.
    this.gaps += Math.max(0, sequence - this.#sequence)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#following
  }

  async #follow(database: Database, head: Head): Promise<void> {
    const { batchMax, pollMs } = this.plan
    const onFailure = (error: unknown) => void this.failures.push(String(error))
    const options = { read: readAfter, signal: this.#stop.signal, batchMax, pollMs, onFailure }
    for await (const batch of follow(database, head, options)) {
      for (const change of batch) this.#see(change)
      this.#onSeen()
    }
  }

  #see({ sequence }: Change): void {
    this.seen++
    if (sequence <= this.#sequence) this.repeats++
    else this.gaps += sequence - this.#sequence - 1
    this.#sequence = Math.max(this.#sequence, sequence)
    this.seenAtMs.set(sequence, Date.now())
  }
}

function deafen(database: Database): Database {
  return { ...database, listen: () => () => {} }
}
