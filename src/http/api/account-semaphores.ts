// In charge of how many of something may be under way at once: of one account, and in all of this process.

export type Refusal = 'account is full' | 'all is full'

export class Places {
  readonly #perAccount: number
  readonly #inAll: number
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(perAccount: number, inAll: number) {
    this.#perAccount = perAccount
    this.#inAll = inAll
  }

  /** Takes one, and returns what gives it back, whether called once or more often. */
  take(accountId: string): (() => void) | Refusal {
    const taken = this.#taken.get(accountId) ?? 0
    if (taken >= this.#perAccount) return 'account is full'
    if (this.#count >= this.#inAll) return 'all is full'
    this.#taken.set(accountId, taken + 1)
    this.#count++
    let isTaken = true
    return () => {
      if (isTaken) this.#giveBack(accountId)
      isTaken = false
    }
  }

  #giveBack(accountId: string): void {
    const taken = this.#taken.get(accountId) ?? 0
    if (taken > 1) this.#taken.set(accountId, taken - 1)
    else this.#taken.delete(accountId)
    this.#count--
  }
}
