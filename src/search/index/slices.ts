// Runs long work in slices, so that other requests are served in between. The work is a generator that yields about
// every tenth of a millisecond; it frees what it holds in a `finally` block.
import { setImmediate } from 'node:timers/promises'

/** Work that can pause wherever it yields. */
export type Sliced<T> = Generator<void, T, void>

const sliceMs = 2

/**
 * Calls `work` for each position up to `length`, in chunks with a pause after each. The loop is not in the generator:
 * V8 optimises loops of plain functions better.
 */
export function* inChunks(length: number, chunkLength: number, work: (at: number) => void): Sliced<void> {
  for (let start = 0; start < length; start += chunkLength) {
    callForEach(start, Math.min(length, start + chunkLength), work)
    yield
  }
}

function callForEach(start: number, end: number, work: (at: number) => void): void {
  for (let at = start; at < end; at++) work(at)
}

/** Runs the work at once. */
export function finish<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/**
 * Runs the work in slices; gives up and returns undefined as soon as `isCurrent` returns false after a pause. If most of
 * the last slice is used, there is a pause at the end: what the caller does next may take as long again.
 */
export async function finishInSlices<T>(work: Sliced<T>, isCurrent: () => boolean): Promise<T | undefined> {
  for (let untilMs = performance.now() + sliceMs; ; ) {
    const { done, value } = work.next()
    if (done === true) {
      if (performance.now() > untilMs - sliceMs / 2) await setImmediate()
      return value
    }
    if (performance.now() < untilMs) continue
    await setImmediate()
    if (!isCurrent()) {
      work.return(undefined as T)
      return undefined
    }
    untilMs = performance.now() + sliceMs
  }
}

/** Runs works one after the other, so that together they hold the event loop no longer than one of them. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work)
    this.#last = turn
    return turn
  }
}
