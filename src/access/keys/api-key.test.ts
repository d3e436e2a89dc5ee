import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { generateKey, isWellFormedKey, keyDigest } from './api-key.ts'

test('a key has the form that secret scanners know', () => {
  expect(generateKey()).toMatch(/^wd_live_[0-9A-Za-z]{36}$/)
})

test('a generated key is well-formed, and no two are the same', () => {
  const keys = Array.from({ length: 1_000 }, generateKey)
  expect(keys.every(isWellFormedKey)).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('one wrong character anywhere is detected without a lookup', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  fc.assert(
    fc.property(fc.nat({ max: 35 }), fc.nat({ max: 61 }), (position, replacement) => {
      const key = generateKey()
      const at = 'wd_live_'.length + position
      const wrong = key.slice(0, at) + alphabet[replacement] + key.slice(at + 1)
      return wrong === key || !isWellFormedKey(wrong)
    }),
    { numRuns: 2_000 },
  )
})

test('no other text is well-formed', () => {
  fc.assert(fc.property(fc.string({ unit: anyCodePoint }), (text) => !isWellFormedKey(text)))
  expect(isWellFormedKey(`${generateKey()}\n`)).toBe(false)
})

test('a key is stored as a digest that does not contain it', () => {
  const key = generateKey()
  expect(keyDigest(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(keyDigest(key)).toBe(keyDigest(key))
})
