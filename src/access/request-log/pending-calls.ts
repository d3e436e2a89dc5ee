// Holds calls in memory until they are saved: the newest 1,000 of each account, and how many had which status.
import { CallBuffer } from './call-buffer.ts'

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
  readonly id: string
  /** Stands for the id in the buffer. */
  readonly number: number
  /** The ids of its keys; the buffer has their positions. */
  readonly keys: string[]
  calls: number
  /** How many of its calls are no longer pending: always the oldest. */
  gone: number
  day: number
  statuses: Map<number, number>
  /** Counts of earlier days, around midnight. */
  readonly earlier: PendingCount[]
}

/** Calls kept of one account. */
export const callsKept = 1_000
/** Calls of all accounts together; the oldest are dropped. */
const callsMax = 50_000
const dayMs = 86_400_000

export class PendingCalls {
  readonly #accounts = new Map<string, PendingAccount>()
  readonly #byNumber = new Map<number, PendingAccount>()
  readonly #calls = new CallBuffer({
    isPending: (account, call) => call > (this.#byNumber.get(account)?.gone ?? call),
    drop: (account, call) => this.#drop(account, call),
  })
  #pending = 0
  #begun = 0
  #lastSequence = 0

  /** The sequence of the call that was added last. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  get accounts(): number {
    return this.#accounts.size
  }

  add(call: Call, atMs: number): void {
    const { accountId, keyId, status, durationMs } = call
    const account = this.#accounts.get(accountId) ?? this.#begin(accountId)
    count(account, Math.floor(atMs / dayMs), status)
    if (account.calls - account.gone === callsKept) this.#drop(account.number, account.gone + 1)
    else if (this.#pending === callsMax) this.#dropOldest()
    this.#pending++
    const sequence = ++this.#lastSequence
    const key = keyNumber(account, keyId)
    const numbers = {
      account: account.number,
      call: ++account.calls,
      key,
      sequence,
      status,
      atMs,
      durationMs,
    }
    this.#calls.add(numbers, call)
  }

  /** Takes out the oldest calls, at most `max`, and none added after `sequence`. */
  takeCalls(max: number, sequence: number): PendingCall[] {
    const taken: PendingCall[] = []
    while (taken.length < max) {
      const first = this.#calls.first()
      if (first === undefined || first.sequence > sequence) break
      const { account, call, key, ...rest } = first
      const { id, keys } = this.#byNumber.get(account) as PendingAccount
      taken.push({ ...rest, accountId: id, keyId: keys[key] as string })
      this.#drop(account, call)
    }
    return taken
  }

  /** Takes out the counts of the next `max` accounts. Accounts with pending calls stay. */
  takeCounts(max: number): PendingCount[] {
    const taken: PendingCount[] = []
    for (const account of [...this.#accounts.values().take(max)]) {
      taken.push(...account.earlier.splice(0), ...countsOf(account))
      account.statuses = new Map()
      // To the end of the order: the next call goes on with other accounts.
      this.#accounts.delete(account.id)
      if (account.calls > account.gone) this.#accounts.set(account.id, account)
      else this.#byNumber.delete(account.number)
    }
    return taken
  }

  #begin(id: string): PendingAccount {
    const number = ++this.#begun
    const account = { id, number, keys: [], calls: 0, gone: 0, day: 0, statuses: new Map(), earlier: [] }
    this.#accounts.set(id, account)
    this.#byNumber.set(number, account)
    return account
  }

  #dropOldest(): void {
    const oldest = this.#calls.first()
    if (oldest !== undefined) this.#drop(oldest.account, oldest.call)
  }

  /** The call must be the oldest pending one of its account. */
  #drop(account: number, call: number): void {
    const owner = this.#byNumber.get(account)
    if (owner !== undefined) owner.gone = call
    this.#pending--
  }
}

function keyNumber({ keys }: PendingAccount, keyId: string): number {
  const known = keys.indexOf(keyId)
  return known < 0 ? keys.push(keyId) - 1 : known
}

function count(account: PendingAccount, day: number, status: number): void {
  if (account.day !== day) {
    account.earlier.push(...countsOf(account))
    account.statuses = new Map()
    account.day = day
  }
  account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1)
}

function countsOf({ id, day, statuses }: PendingAccount): PendingCount[] {
  return Array.from(statuses, ([status, times]) => ({ accountId: id, day, status, count: times }))
}
