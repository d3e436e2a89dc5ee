import { expect, test } from 'vitest'
import { RecordCollector } from './record-collector.ts'
import { shownText } from './shown-text.ts'

test('control characters are shown escaped', () => {
  expect(shownText('a\u001b[2Jb\u009bc\u007f\u202ed\u2066\u200f\u2028', 100)).toBe(
    'a\\u001b[2Jb\\u009bc\\u007f\\u202ed\\u2066\\u200f\\u2028',
  )
  expect(shownText('a\r\n\tb', 100)).toBe('a b')
})

test('long text is cut, and never in the middle of a character', () => {
  expect(shownText('x'.repeat(20), 10)).toBe(`${'x'.repeat(10)}…`)
  expect(shownText('\u001b'.repeat(20), 10)).toHaveLength(11)
  expect(shownText('😀😀', 3).isWellFormed()).toBe(true)
})

test('text of a file is escaped in the reasons why it is not read', () => {
  const collector = new RecordCollector('x.csv', () => 0)
  collector.addBad(1, 'it has \u001b]0;', 'x\u001b[2J')
  expect(collector.takeRest()[0]?.bad).toEqual([
    { line: 1, reason: 'it has \\u001b]0;', value: 'x\\u001b[2J' },
  ])
})
