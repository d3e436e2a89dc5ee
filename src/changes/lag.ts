// Tells how long a reader of the change log has been behind it: since the first change that it has not processed yet
// became known.

interface Known {
  /** The end of the log at that time. */
  readonly sequence: number
  readonly atMs: number
}

/** Ends of the log that are noted. With more of them, later changes count from a later time. */
const knownMax = 1_000

export class Lag {
  readonly #nowMs: () => number
  /** In ascending order; all are after what is done. */
  #known: Known[] = []
  #done = 0
  #isUnknown = false

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Zero if nothing is pending; undefined while the log cannot be read. */
  get ms(): number | undefined {
    if (this.#isUnknown) return undefined
    const [first] = this.#known
    return first === undefined ? 0 : this.#nowMs() - first.atMs
  }

  /** Call this when the log was read; `sequence` is its end as far as it is known. */
  learn(sequence: number): void {
    this.#isUnknown = false
    const last = this.#known.at(-1)?.sequence ?? this.#done
    if (sequence > last && this.#known.length < knownMax) this.#known.push({ sequence, atMs: this.#nowMs() })
  }

  /** Call this when all changes up to this one are processed. */
  pass(sequence: number): void {
    this.#done = sequence
    this.#known = this.#known.filter((known) => known.sequence > sequence)
  }

  /** Call this when the log cannot be read, or is another one: what was known of it does not count any more. */
  forget(): void {
    this.#isUnknown = true
    this.#known = []
  }
}
