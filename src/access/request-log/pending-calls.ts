// In charge of calls that are not written down yet: the newest of each account, in places that are used again and
// linked in the order of time, and how many had which status. Every request passes through here, so a call makes no object;
// what it costs to write it down is paid elsewhere.

/** One answer to a known caller. */
export interface Call {
  readonly accountId: string
  readonly keyId: string
  readonly method: string
  /** Path and query, as they were asked for. */
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
}

export interface PendingCall extends Call {
  /** When it was answered. */
  readonly atMs: number
  /** In the order of this process. */
  readonly sequence: number
}

export interface PendingCount {
  readonly accountId: string
  /** Since 1970, in UTC. */
  readonly day: number
  readonly status: number
  readonly count: number
}

interface PendingAccount {
  readonly accountId: string
  oldest: Place | undefined
  newest: Place | undefined
  calls: number
  day: number
  statuses: Map<number, number>
  /** Of the days before, around midnight. */
  readonly earlier: PendingCount[]
}

/**
 * Where a call waits. All that are in use are linked from the oldest to the newest, and those of each account as well.
 * One place is one piece of memory, whole numbers included: spread over arrays, each of its fields had to be fetched.
 */
interface Place {
  account: PendingAccount
  keyId: string
  method: string
  url: string
  requestId: string
  status: number
  durationHundredths: number
  day: number
  dayMs: number
  sequence: number
  next: Place | undefined
  previous: Place | undefined
  nextOfAccount: Place | undefined
}

/** What is kept of one account. */
export const callsKept = 1_000
/** Of all accounts together; the oldest give way. */
const callsMax = 50_000
/** Of their addresses: long ones could fill the memory sooner than many. */
const charactersMax = 16 * 1024 * 1024
const dayMs = 86_400_000
const hundredths = 100

export class PendingCalls {
  readonly #accounts = new Map<string, PendingAccount>()
  #free: Place | undefined
  #made = 0
  #oldest: Place | undefined
  #newest: Place | undefined
  #characters = 0
  #lastSequence = 0

  /** Of the call that was added last. */
  get lastSequence(): number {
    return this.#lastSequence
  }

  get accounts(): number {
    return this.#accounts.size
  }

  add({ accountId, keyId, method, url, status, durationMs, requestId }: Call, atMs: number): void {
    const account = this.#accounts.get(accountId) ?? this.#begin(accountId)
    const day = Math.floor(atMs / dayMs)
    count(account, day, status)
    while (this.#characters + url.length > charactersMax && this.#oldest !== undefined) {
      this.#drop(this.#oldest)
    }
    const place = this.#takePlace(account)
    place.account = account
    place.keyId = keyId
    place.method = method
    place.url = url
    place.requestId = requestId
    place.status = status
    place.durationHundredths = Math.round(durationMs * hundredths)
    place.day = day
    place.dayMs = atMs - day * dayMs
    place.sequence = ++this.#lastSequence
    this.#characters += url.length
    this.#link(place, account)
  }

  /** Takes the oldest calls out, at most so many, and none that came after `sequence`. */
  takeCalls(max: number, sequence: number): PendingCall[] {
    const taken: PendingCall[] = []
    while (taken.length < max && this.#oldest !== undefined && this.#oldest.sequence <= sequence) {
      taken.push(read(this.#oldest))
      this.#drop(this.#oldest)
    }
    return taken
  }

  /** Takes the counts of the next accounts out, of at most so many; who has calls besides stays for those. */
  takeCounts(max: number): PendingCount[] {
    const taken: PendingCount[] = []
    let left = max
    for (const account of this.#accounts.values()) {
      if (left-- === 0) break
      for (const earlier of account.earlier.splice(0)) taken.push(earlier)
      taken.push(...countsOf(account))
      account.statuses = new Map()
      // To the end, where it is not met again.
      this.#accounts.delete(account.accountId)
      if (account.calls > 0) this.#accounts.set(account.accountId, account)
    }
    return taken
  }

  #begin(accountId: string): PendingAccount {
    const none = { oldest: undefined, newest: undefined, calls: 0 }
    const account = { accountId, ...none, day: 0, statuses: new Map(), earlier: [] }
    this.#accounts.set(accountId, account)
    return account
  }

  #takePlace(account: PendingAccount): Place {
    if (account.calls === callsKept) this.#drop(account.oldest as Place)
    else if (this.#made === callsMax && this.#free === undefined) this.#drop(this.#oldest as Place)
    const free = this.#free
    if (free === undefined) {
      this.#made++
      return emptyPlace(account)
    }
    this.#free = free.next
    return free
  }

  #link(place: Place, account: PendingAccount): void {
    place.next = undefined
    place.previous = this.#newest
    if (this.#newest === undefined) this.#oldest = place
    else this.#newest.next = place
    this.#newest = place
    place.nextOfAccount = undefined
    if (account.newest === undefined) account.oldest = place
    else account.newest.nextOfAccount = place
    account.newest = place
    account.calls++
  }

  /** The oldest call of its account, which the oldest of all is too. */
  #drop(place: Place): void {
    const { account, next, previous } = place
    if (previous === undefined) this.#oldest = next
    else previous.next = next
    if (next === undefined) this.#newest = previous
    else next.previous = previous
    account.oldest = place.nextOfAccount
    if (account.oldest === undefined) account.newest = undefined
    account.calls--
    this.#characters -= place.url.length
    place.url = ''
    place.next = this.#free
    this.#free = place
  }
}

function emptyPlace(account: PendingAccount): Place {
  return {
    account,
    keyId: '',
    method: '',
    url: '',
    requestId: '',
    status: 0,
    durationHundredths: 0,
    day: 0,
    dayMs: 0,
    sequence: 0,
    next: undefined,
    previous: undefined,
    nextOfAccount: undefined,
  }
}

function read({ account, durationHundredths, day, dayMs: ms, ...place }: Place): PendingCall {
  const { keyId, method, url, requestId, status, sequence } = place
  const durationMs = durationHundredths / hundredths
  const { accountId } = account
  return { accountId, keyId, method, url, requestId, status, sequence, durationMs, atMs: day * dayMs + ms }
}

function count(account: PendingAccount, day: number, status: number): void {
  if (account.day !== day) {
    account.earlier.push(...countsOf(account))
    account.statuses = new Map()
    account.day = day
  }
  account.statuses.set(status, (account.statuses.get(status) ?? 0) + 1)
}

function countsOf({ accountId, day, statuses }: PendingAccount): PendingCount[] {
  return Array.from(statuses, ([status, times]) => ({ accountId, day, status, count: times }))
}
