import { expect, test } from 'vitest'
import { createSealer } from './seal.ts'

const sealer = createSealer('a secret of the service')
const texts = ['', 'whsec_ab', 'ü €\u0000', 'x'.repeat(100_000)]

test.each(texts)('a sealed text opens to the original', (text) => {
  expect(sealer.open(sealer.seal(text))).toBe(text)
})

test('a sealed text hides the original, and never looks the same twice', () => {
  const [one, other] = [sealer.seal('whsec_ab'), sealer.seal('whsec_ab')]
  expect(one).not.toContain('whsec')
  expect(one).not.toBe(other)
})

test('opening fails with another secret, or when a character was changed', () => {
  const sealed = sealer.seal('whsec_ab')
  expect(() => createSealer('another').open(sealed)).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(() => sealer.open(changed)).toThrow()
  }
  for (const broken of ['', 'v1.', 'v1.AAAA', 'whsec_ab']) expect(() => sealer.open(broken)).toThrow()
})
