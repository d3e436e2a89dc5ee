// In charge of how long what a test opens lives: as long as the test, or as long as its suite where the suite shares it.
import { afterAll, beforeAll, onTestFinished } from 'vitest'

type End = () => unknown

/** Of the suite whose `share` is opening something now. */
let ends: End[] | undefined

/** Ends with the test that opens it; with the suite, when `share` opens it. */
export function endLater(end: End): void {
  if (ends === undefined)
    onTestFinished(async () => {
      await end()
    })
  else ends.push(end)
}

/** Opened once before the first test of the suite or file, and ended after its last. To be asked only in between. */
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
    // The file stays loaded as long as its process; what it shared must not.
    opened = undefined
  })
  return () => {
    if (opened === undefined) throw new Error('what the tests share is not open before the first of them')
    return opened.value
  }
}
