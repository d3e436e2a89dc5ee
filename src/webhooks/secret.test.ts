import { expect, test } from 'vitest'
import { createSealer } from '../seal.ts'
import { generateSecret, replaceSecret, secretsOf } from './secret.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const sealer = createSealer('the secret of the service, long enough')

test('after a change both secrets sign for a day, the newest first', () => {
  const [first, second] = [generateSecret(), generateSecret()]
  const row = { secret: sealer.seal(first), old_secret: null, old_secret_until: null }
  const replaced = replaceSecret(row, sealer.seal(second), now)
  expect(secretsOf(replaced, sealer, now)).toEqual([second, first])
  expect(secretsOf(replaced, sealer, new Date(now.getTime() + 86_400_000))).toEqual([second])
})

test('a secret that cannot be opened any more is replaced by a new one, which signs at once', () => {
  const lost = createSealer('another secret of the service, as long')
  const row = { secret: lost.seal(generateSecret()), old_secret: null, old_secret_until: null }
  expect(() => secretsOf(row, sealer, now)).toThrow()
  const fresh = generateSecret()
  expect(secretsOf(replaceSecret(row, sealer.seal(fresh), now), sealer, now)).toEqual([fresh])
})
