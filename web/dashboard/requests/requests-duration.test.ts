import { expect, test } from 'vitest'
import { durationText } from './requests-duration.ts'

test.each([
  [0.04, '0.0 ms'],
  [3.456, '3.5 ms'],
  [12.6, '13 ms'],
  [999.2, '999 ms'],
  [2_340, '2.3 s'],
])('%d ms is shown as %s', (ms, text) => expect(durationText(ms)).toBe(text))
