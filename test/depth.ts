// Chooses how many runs a property test makes: few on every change, more at night with TEST_DEPTH=nightly.

export const isNightly = process.env.TEST_DEPTH === 'nightly'

export function runs(everyTime: number, nightly: number): number {
  return isNightly ? nightly : everyTime
}
