// In charge of how many may be at something at a time; the others wait in order.

const movedMin = 256

export class Places {
  readonly #waiting: (() => void)[] = []
  #first = 0
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Undefined where there is one; else resolves when there is. It has to be given back. */
  take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#free--
    return undefined
  }

  giveBack(): void {
    const next = this.#waiting[this.#first]
    if (next === undefined) {
      this.#free++
      return
    }
    // To take the first out of a long list would move all the others each time.
    if (++this.#first >= movedMin && this.#first * 2 >= this.#waiting.length) {
      this.#waiting.splice(0, this.#first)
      this.#first = 0
    }
    next()
  }
}
