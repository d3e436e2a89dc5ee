import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyOrder } from './export-key-order.ts'

function orderOf(documents: readonly (readonly string[])[], max = 1_000): string[] {
  const order = new KeyOrder()
  for (const keys of documents) order.add(keys)
  return order.columns(max)
}

test('if documents agree on an order, the columns have it, whichever keys each document has', () => {
  const names = [...'abcdefghij']
  fc.assert(
    fc.property(
      fc.shuffledSubarray(names),
      fc.infiniteStream(fc.boolean()),
      fc.nat(20),
      (agreed, coins, count) => {
        const documents = Array.from({ length: count }, () => agreed.filter(() => coins.next().value))
        const columns = orderOf(documents)
        for (const keys of documents) expect(columns.filter((name) => keys.includes(name))).toEqual(keys)
      },
    ),
  )
})

test('a key that appears late gets the position that it has in its documents', () => {
  expect(
    orderOf([
      ['a', 'b', 'd'],
      ['c', 'd'],
      ['b', 'c'],
    ]),
  ).toEqual(['a', 'b', 'c', 'd'])
})

test('if documents contradict each other, the majority decides', () => {
  const most = Array.from({ length: 9 }, () => ['a', 'b', 'c'])
  expect(orderOf([['c', 'a', 'b'], ...most])).toEqual(['a', 'b', 'c'])
})

test('the most frequent keys are kept', () => {
  expect(orderOf([['a', 'x', 'b'], ['a', 'b'], ['y']], 2)).toEqual(['a', 'b'])
})

test('keys that cannot be read back from a header are not columns, and integers come first', () => {
  const odd = [
    '',
    ' a',
    'a ',
    'a  b',
    'a\u00a0b',
    'a\nb',
    'a"b',
    'a;b',
    'a,b',
    '\ufeffa',
    '\ud800',
    'x'.repeat(129),
  ]
  expect(orderOf([[...odd, '__proto__', 'constructor', 'a b', '12a', '😀', '12', '007', '7']])).toEqual([
    '7',
    '12',
    '__proto__',
    'constructor',
    'a b',
    '12a',
    '😀',
    '007',
  ])
})

test('keys beyond the limit are not counted', () => {
  const order = new KeyOrder()
  for (let at = 0; at < 30_000; at++) order.add(['known', `key ${at}`])
  expect(order.columns(1)).toEqual(['known'])
  expect(order.columns(1_000).length).toBe(1_000)
})
