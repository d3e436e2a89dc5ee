// Holds requests until the catalogue changes. A wait also ends when its time is up, when its client
// disconnects and when the process shuts down. The number of waits is limited per account and in total.
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { AccountSemaphore } from '../../semaphore.ts'

export type WaitEnd = 'change' | 'time' | 'gone'

/** Waits at once: of one account, and in all. */
interface LongPollLimits {
  readonly perAccount: number
  readonly inAll: number
}

/** The limits of those that wait for any change. */
const anyChangeMax: LongPollLimits = { perAccount: 10, inAll: 1_000 }
/** Waits ended per iteration of the event loop: each one then has a change to read and a response to build. */
const calledAtOnce = 16

export class LongPolls {
  readonly #semaphore: AccountSemaphore
  /** Functions that end a wait, each with one that tells whether a change ends it. */
  readonly #waiting = new Map<(how: WaitEnd) => void, () => boolean>()
  readonly #draining: AbortSignal
  #hasNews = false
  #isCalling = false

  constructor(onAdvance: (hear: () => void) => void, draining: AbortSignal, limits = anyChangeMax) {
    this.#semaphore = new AccountSemaphore(limits.perAccount, limits.inAll)
    this.#draining = draining
    onAdvance(() => void this.#callAll())
    draining.addEventListener('abort', () => {
      for (const end of [...this.#waiting.keys()]) end('time')
    })
  }

  /**
   * Resolves to 'time' at once where the account or the process has no free slot. A change after which `isEnough` is
   * false does not end the wait.
   */
  wait(accountId: string, maxMs: number, response: ServerResponse, isEnough = () => true): Promise<WaitEnd> {
    const release = this.#semaphore.take(accountId)
    if (typeof release === 'string') return Promise.resolve('time')
    const { promise, resolve } = Promise.withResolvers<WaitEnd>()
    const onClose = () => end('gone')
    const end = (how: WaitEnd) => {
      clearTimeout(timer)
      response.off('close', onClose)
      this.#waiting.delete(end)
      release()
      resolve(how)
    }
    const timer = setTimeout(end, maxMs, 'time')
    this.#waiting.set(end, isEnough)
    response.once('close', onClose)
    if (response.destroyed) end('gone')
    else if (this.#draining.aborted) end('time')
    return promise
  }

  async #callAll(): Promise<void> {
    this.#hasNews = true
    if (this.#isCalling) return
    this.#isCalling = true
    while (this.#hasNews) {
      this.#hasNews = false
      const all = [...this.#waiting]
      for (let start = 0; start < all.length; start += calledAtOnce) {
        for (const [end, isEnough] of all.slice(start, start + calledAtOnce)) if (isEnough()) end('change')
        await setImmediate()
      }
    }
    this.#isCalling = false
  }
}
