// Aborts an attempt when its time is up, or when the caller aborts the call.

/** A longer time does not fit into a timer: there is no limit then. */
const timerMaxMs = 2_147_483_647

export class Deadline {
  readonly #abort = new AbortController()
  readonly #caller: AbortSignal | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Whether the time was up. */
  isOver = false

  constructor(caller: AbortSignal | undefined) {
    caller?.throwIfAborted()
    this.#caller = caller
    caller?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Starts the time anew. */
  start(ms: number): void {
    this.stop()
    if (ms > timerMaxMs) return
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.#abort.abort()
    }, ms)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** To be called in any case: the signal of the caller may live as long as the program. */
  end(): void {
    this.stop()
    this.#caller?.removeEventListener('abort', this.#follow)
  }

  /** Ends the attempt, with what is left of its response. */
  cancel(): void {
    this.end()
    this.#abort.abort()
  }

  readonly #follow = () => this.#abort.abort(this.#caller?.reason)
}
