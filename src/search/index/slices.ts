// Long work that can be done in slices (fair-turns.ts): a generator that yields about every tenth of a millisecond, and
// frees what it holds in a `finally` block.

/** Work that can pause wherever it yields. */
export type Sliced<T> = Generator<void, T, void>

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
