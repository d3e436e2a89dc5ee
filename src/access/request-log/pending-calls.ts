// Holds calls in memory until they are saved: the newest 1,000 of each account, and how many had which status.

/** One response to a known caller. */
export interface Call {
  readonly accountId: string
  readonly keyId: string
  readonly method: string
  /** Path and query, as requested. */
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
}

export interface PendingCall extends Call {
  /** When the response was sent. */
  readonly atMs: number
  /** Counts the calls of this process. */
  readonly sequence: number
}

export interface PendingCount {
  readonly accountId: string
  /** Days since 1970, in UTC. */
  readonly day: number
  readonly status: number
  readonly count: number
}

interface PendingAccount {
  /** Sequences of its last calls: `callsKept` of them, the oldest overwritten first. */
  readonly sequences: number[]
  calls: number
  day: number
  statuses: Map<number, number>
  /** Counts of earlier days, around midnight. */
  readonly earlier: PendingCount[]
}

/** Calls kept of one account. */
export const callsKept = 1_000
/** Calls of all accounts together; the oldest are dropped. */
const callsMax = 50_000
/** Total length of their URLs: long ones could fill the memory before the number of calls does. */
const charactersMax = 16 * 1024 * 1024
const dayMs = 86_400_000

export class PendingCalls {
  readonly #accounts = new Map<string, PendingAccount>()
  /** By sequence, so oldest first. */
  readonly #calls = new Map<number, PendingCall>()
  #characters = 0
  #lastSequence = 0
  /** No call up to this one is pending. */
  #droppedSequence = 0

  /** The sequence of the call that was added last. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  get accounts(): number {
    return this.#accounts.size
  }

  add({ accountId, keyId, method, url, status, durationMs, requestId }: Call, atMs: number): void {
    const account = this.#accounts.get(accountId) ?? this.#begin(accountId)
    count(accountId, account, Math.floor(atMs / dayMs), status)
    const at = account.calls++ % callsKept
    this.#drop(account.sequences[at] ?? 0)
    while (this.#calls.size >= callsMax) this.#drop(++this.#droppedSequence)
    while (this.#calls.size > 0 && this.#characters + url.length > charactersMax) {
      this.#drop(++this.#droppedSequence)
    }
    const sequence = ++this.#lastSequence
    account.sequences[at] = sequence
    const call = { accountId, keyId, method, url, status, durationMs, requestId, atMs, sequence }
    this.#calls.set(sequence, call)
    this.#characters += url.length
  }

  /** Takes out the oldest calls, at most `max`, and none added after `sequence`. */
  takeCalls(max: number, sequence: number): PendingCall[] {
    const taken: PendingCall[] = []
    for (const call of this.#calls.values()) {
      if (taken.length >= max || call.sequence > sequence) break
      taken.push(call)
      this.#drop(call.sequence)
    }
    return taken
  }

  /** Takes out the counts of the next `max` accounts. Accounts with pending calls stay. */
  takeCounts(max: number): PendingCount[] {
    const taken: PendingCount[] = []
    for (const [accountId, account] of [...this.#accounts.entries().take(max)]) {
      taken.push(...account.earlier.splice(0), ...countsOf(accountId, account))
      account.statuses = new Map()
      // To the end of the order: the next call goes on with other accounts.
      this.#accounts.delete(accountId)
      const newest = account.sequences[(account.calls - 1) % callsKept] ?? 0
      if (this.#calls.has(newest)) this.#accounts.set(accountId, account)
    }
    return taken
  }

  #begin(accountId: string): PendingAccount {
    const account = { sequences: [], calls: 0, day: 0, statuses: new Map(), earlier: [] }
    this.#accounts.set(accountId, account)
    return account
  }

  #drop(sequence: number): void {
    const call = this.#calls.get(sequence)
    if (call === undefined) return
    this.#calls.delete(sequence)
    this.#characters -= call.url.length
  }
}

function count(accountId: string, account: PendingAccount, day: number, status: number): void {
  if (account.day !== day) {
    account.earlier.push(...countsOf(accountId, account))
    account.statuses = new Map()
    account.day = day
  }
  account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1)
}

function countsOf(accountId: string, { day, statuses }: PendingAccount): PendingCount[] {
  return Array.from(statuses, ([status, times]) => ({ accountId, day, status, count: times }))
}
