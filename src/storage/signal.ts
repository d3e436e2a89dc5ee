// Waits for a wake-up, with a timeout.

/** A notification is stored until the next `wait`, so that none is lost while the waiting side is busy. */
export class Signal {
  #isNotified = false
  #wake = () => {}

  notify(): void {
    this.#isNotified = true
    this.#wake()
  }

  /** Resolves when `notify` was called, the timeout has passed or `signal` is aborted. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isNotified && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const onAbort = () => resolve()
      signal.addEventListener('abort', onAbort)
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    this.#isNotified = false
  }
}
