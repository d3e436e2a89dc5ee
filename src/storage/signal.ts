// In charge of waiting for a wake-up, for a while at most.

/** Rings at most once until heard, so that a wake-up during the reading is not lost. */
export class Signal {
  #hasRung = false
  #hear = () => {}

  ring(): void {
    this.#hasRung = true
    this.#hear()
  }

  /** Resolves when the bell has rung, the time is up or the signal is aborted. */
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
