// In charge of how often a property is tried: enough for every change, and more at night, with TEST_DEPTH=nightly.

export const isNightly = process.env.TEST_DEPTH === 'nightly'

export function runs(everyTime: number, nightly: number): number {
  return isNightly ? nightly : everyTime
}
