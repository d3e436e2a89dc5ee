// Closes what a test opened when the test finishes, or when its suite finishes if the suite shares it.
import { afterAll, beforeAll, onTestFinished } from 'vitest'

type End = () => unknown

/** The cleanup functions of the suite whose `share` is opening something; undefined otherwise. */
let ends: End[] | undefined

/** Runs `end` after the current test, or after the suite if called while `share` opens something. */
export function endLater(end: End): void {
  if (ends === undefined)
    onTestFinished(async () => {
      await end()
    })
  else ends.push(end)
}

/**
 * Opens a resource before the first test of the suite or file and closes it after the last. Call the getter only in
 * tests.
 */
export function share<T>(open: () => Promise<T>): () => T {
  const own: End[] = []
  let opened: { readonly value: T } | undefined
  beforeAll(async () => {
    ends = own
    try {
      opened = { value: await open() }
    } finally {
      ends = undefined
    }
  })
  afterAll(async () => {
    for (const end of own.splice(0).reverse()) await end()
    // The module stays loaded until its process ends; the shared resource must not.
    opened = undefined
  })
  return () => {
    if (opened === undefined) throw new Error('a shared resource was used before the first test of its suite')
    return opened.value
  }
}
