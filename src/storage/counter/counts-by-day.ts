// Holds a process's counts in memory by day and subject. Finds a count without building a key of both, and drops the
// counts of old days.

/** Today and, around midnight, the day before or after. */
const daysMax = 2

export class CountsByDay<Count> {
  readonly #days = new Map<string, Map<string, Count>>()
  #day = ''
  #counts = new Map<string, Count>()

  find(subject: string, day: string): Count | undefined {
    if (day !== this.#day) this.#turnTo(day)
    return this.#counts.get(subject)
  }

  set(subject: string, day: string, count: Count): void {
    if (day !== this.#day) this.#turnTo(day)
    this.#counts.set(subject, count)
  }

  /** The counts of all days that are held. */
  *all(): Generator<Count> {
    for (const counts of this.#days.values()) yield* counts.values()
  }

  #turnTo(day: string): void {
    this.#day = day
    this.#counts = this.#days.getOrInsertComputed(day, () => new Map())
    if (this.#days.size > daysMax) this.#days.delete([...this.#days.keys()].sort()[0] as string)
  }
}
