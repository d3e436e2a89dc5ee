// Holds calls in memory until they are saved: the newest 1,000 of each account, and how many had which status.
import { CallBuffer, type CallNumbers, type CallTexts } from './call-buffer.ts'

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
  /** Pairs of a status and its number of calls on that day: few, so that a Map would take more memory and time. */
  statuses: number[]
  /** Counts of earlier days, around midnight. */
  earlier: readonly PendingCount[]
}

/** Calls kept of one account. */
export const callsKept = 1_000
/** Calls of all accounts together; the oldest are dropped. */
const callsMax = 50_000
const dayMs = 86_400_000
const none: readonly PendingCount[] = []

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
    const day = Math.floor(atMs / dayMs)
    const account = this.#accounts.get(accountId) ?? this.#begin(call, day)
    count(account, day, status)
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
      const { id, keys } = this.#byNumber.get(first.account) as PendingAccount
      taken.push(callOf(first, id, keys[first.key] as string))
      this.#drop(first.account, first.call)
    }
    return taken
  }

  /** Takes out the counts of the next `max` accounts. Accounts with pending calls stay. */
  takeCounts(max: number): PendingCount[] {
    const taken: PendingCount[] = []
    const staying: PendingAccount[] = []
    let left = max
    for (const account of this.#accounts.values()) {
      if (left-- === 0) break
      addCounts(account, taken)
      account.statuses = []
      account.earlier = none
      this.#accounts.delete(account.id)
      if (account.calls === account.gone) this.#byNumber.delete(account.number)
      else staying.push(account)
    }
    // To the end of the order: the next call goes on with other accounts.
    for (const account of staying) this.#accounts.set(account.id, account)
    return taken
  }

  #begin({ accountId: id, keyId, status }: Call, day: number): PendingAccount {
    const number = ++this.#begun
    // Lists that already have their first values: most stay as they are, and an empty one would get room for many.
    const [keys, statuses] = [[keyId], [status, 0]]
    const account = { id, number, keys, calls: 0, gone: 0, day, statuses, earlier: none }
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
    const earlier: PendingCount[] = []
    addCounts(account, earlier)
    account.earlier = earlier
    account.statuses = []
    account.day = day
  }
  const { statuses } = account
  for (let at = 0; at < statuses.length; at += 2) {
    if (statuses[at] === status) {
      statuses[at + 1] = (statuses[at + 1] as number) + 1
      return
    }
  }
  statuses.push(status, 1)
}

function addCounts({ id, day, statuses, earlier }: PendingAccount, to: PendingCount[]): void {
  to.push(...earlier)
  for (let at = 0; at < statuses.length; at += 2) {
    to.push({ accountId: id, day, status: statuses[at] as number, count: statuses[at + 1] as number })
  }
}

/** Field by field: a spread would take longer than all the rest. */
function callOf(call: CallNumbers & CallTexts, accountId: string, keyId: string): PendingCall {
  return {
    accountId,
    keyId,
    method: call.method,
    url: call.url,
    status: call.status,
    durationMs: call.durationMs,
    requestId: call.requestId,
    atMs: call.atMs,
    sequence: call.sequence,
  }
}
