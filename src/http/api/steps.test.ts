// Tests the steps of a request: synchronous until something is a promise.
import { describe, expect, test } from 'vitest'
import { run, type Steps, settled } from './steps.ts'

function start(values: readonly unknown[]): { seen: unknown[]; ended: Promise<void> } {
  const seen: unknown[] = []
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  function* steps(): Steps<void> {
    for (const value of values) {
      try {
        seen.push(yield* settled(value))
      } catch (error) {
        seen.push(`caught ${error}`)
      }
    }
    resolve()
  }
  run(steps())
  return { seen, ended }
}

describe('the steps of a request', () => {
  test('are all done when `run` returns, if none of them waits', () => {
    expect(start([1, undefined, null, 'a']).seen).toEqual([1, undefined, null, 'a'])
  })

  test('wait for a promise, and go on with its value or its error', async () => {
    const { seen, ended } = start([1, Promise.resolve(2), Promise.reject('no'), 3])
    expect(seen).toEqual([1])
    await ended
    expect(seen).toEqual([1, 2, 'caught no', 3])
  })
})
