import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyOrder } from './export-key-order.ts'

function orderOf(documents: readonly (readonly string[])[], max = 1_000): string[] {
  const order = new KeyOrder()
  for (const keys of documents) order.add(keys)
  return order.columns(max)
}

test('documents that agree on an order find it, whichever keys each of them has', () => {
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

test('a key that came late stands where its documents have it', () => {
  expect(
    orderOf([
      ['a', 'b', 'd'],
      ['c', 'd'],
      ['b', 'c'],
    ]),
  ).toEqual(['a', 'b', 'c', 'd'])
})

test('where documents contradict each other, most of them are right', () => {
  const most = Array.from({ length: 9 }, () => ['a', 'b', 'c'])
  expect(orderOf([['c', 'a', 'b'], ...most])).toEqual(['a', 'b', 'c'])
})

test('the most frequent keys are kept', () => {
  expect(orderOf([['a', 'x', 'b'], ['a', 'b'], ['y']], 2)).toEqual(['a', 'b'])
})

test('keys that a header would not bring back are no columns', () => {
  const odd = [
    '',
    ' a',
    'a ',
    'a  b',
    'a\u00a0b',
    'a\nb',
    '12',
    'a"b',
    'a;b',
    'a,b',
    '\ufeffa',
    '\ud800',
    'x'.repeat(129),
  ]
  expect(orderOf([[...odd, '__proto__', 'constructor', 'a b', '12a', '😀']])).toEqual([
    '__proto__',
    'constructor',
    'a b',
    '12a',
    '😀',
  ])
})

test('more keys than can be counted are left out, not remembered', () => {
  const order = new KeyOrder()
  for (let at = 0; at < 30_000; at++) order.add(['known', `key ${at}`])
  expect(order.columns(1)).toEqual(['known'])
  expect(order.columns(1_000).length).toBe(1_000)
})
