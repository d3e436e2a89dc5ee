// Runs a generator that yields only the promises it has to wait for. A request that has to wait for nothing is served
// in one synchronous run, and the code reads like an async function, in which even a known value would cost a turn of
// the microtask queue.

export type Steps<T> = Generator<Promise<unknown>, T, unknown>

/** Use it as `const value = yield* settled(maybePromise)`: waits only for a promise. */
export function* settled<T>(value: T | Promise<T>): Steps<T> {
  return value instanceof Promise ? ((yield value) as T) : value
}

/** Runs all steps. They must handle their own errors: one that escapes would end the process. */
export function run(steps: Steps<void>): void {
  advance(steps, steps.next())
}

function advance(steps: Steps<void>, { done, value }: IteratorResult<Promise<unknown>, void>): void {
  if (done) return
  value.then(
    (result) => advance(steps, steps.next(result)),
    (error) => advance(steps, steps.throw(error)),
  )
}
