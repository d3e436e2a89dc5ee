// Registers the listeners of each channel and wakes them, within this process.

export class Wakes {
  readonly #listeners = new Map<string, Set<() => void>>()

  listen(channel: string, wake: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(wake))
    return () => void listeners.delete(wake)
  }

  wake(channel: string): void {
    for (const wake of this.#listeners.get(channel) ?? []) wake()
  }

  wakeAll(): void {
    for (const channel of this.#listeners.keys()) this.wake(channel)
  }
}
