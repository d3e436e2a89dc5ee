// Waits for a wake-up, with a timeout.

/** A ring is stored until the next `rung`, so that a wake-up while the waiting side is busy is not lost. */
export class Signal {
  #hasRung = false
  #hear = () => {}

  ring(): void {
    this.#hasRung = true
    this.#hear()
  }

  /** Resolves when `ring` was called, the timeout has passed or `signal` is aborted. */
  async rung(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasRung && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#hear = resolve
      const onAbort = () => resolve()
      signal.addEventListener('abort', onAbort)
      const timer = setTimeout(resolve, timeoutMs)
      await promise
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    this.#hasRung = false
  }
}
