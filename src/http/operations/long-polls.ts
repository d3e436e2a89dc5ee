// Holds long-poll requests until the catalogue changes. A wait also ends when its time is up, when its client
// disconnects and when the process shuts down. The number of waits is limited per account and in total.
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { AccountSemaphore } from '../../semaphore.ts'

export type WaitEnd = 'change' | 'time' | 'gone'

const perAccountMax = 10
const inAllMax = 1_000
/** Waits ended per iteration of the event loop: each one then has a change to read and a response to build. */
const calledAtOnce = 16

export class LongPolls {
  readonly #semaphore = new AccountSemaphore(perAccountMax, inAllMax)
  /** Functions that end a wait. */
  readonly #waiting = new Set<(how: WaitEnd) => void>()
  readonly #draining: AbortSignal
  #hasNews = false
  #isCalling = false

  constructor(onAdvance: (hear: () => void) => void, draining: AbortSignal) {
    this.#draining = draining
    onAdvance(() => void this.#callAll())
    draining.addEventListener('abort', () => {
      for (const end of [...this.#waiting]) end('time')
    })
  }

  /** Resolves to 'time' at once where the account or the process has no free slot. */
  wait(accountId: string, maxMs: number, response: ServerResponse): Promise<WaitEnd> {
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
    this.#waiting.add(end)
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
        for (const end of all.slice(start, start + calledAtOnce)) end('change')
        await setImmediate()
      }
    }
    this.#isCalling = false
  }
}
