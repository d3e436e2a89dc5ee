import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { Passwords } from './passwords.ts'

describe('passwords', () => {
  test('a password verifies against its own hash and no other password does', async () => {
    const passwords = new Passwords()
    const hash = await passwords.hash('correct horse battery')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await passwords.verify(hash, 'correct horse battery')).toBe(true)
    expect(await passwords.verify(hash, 'correct horse batterx')).toBe(false)
  })

  test('two hashes of one password differ', async () => {
    const passwords = new Passwords()
    expect(await passwords.hash('correct horse battery')).not.toBe(
      await passwords.hash('correct horse battery'),
    )
  })

  test('a hash made by another program verifies, at its own cost', async () => {
    // RFC 9106's reference implementation: argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32, password "password"
    const made = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await new Passwords().verify(made, 'password')).toBe(true)
    expect(await new Passwords().verify(made, 'passwore')).toBe(false)
  })

  test.each(['', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$$', '$2b$10$abcdefghijklmnopqrstuv'])(
    'an invalid hash verifies nothing: %s',
    async (hash) => {
      expect(await new Passwords().verify(hash, '')).toBe(false)
      expect(await new Passwords().verify(hash, 'correct horse battery')).toBe(false)
    },
  )

  test('other code points for the same letters are the same password', async () => {
    const passwords = new Passwords()
    const hash = await passwords.hash('caf\u00e9 au lait')
    expect(await passwords.verify(hash, 'cafe\u0301 au lait')).toBe(true)
  })

  test('hashes beyond the queue are refused at once, and the queued ones complete', async () => {
    const passwords = new Passwords()
    const hash = () => passwords.hash('correct horse battery')
    // A cheap hash, because verifications wait in the same queue.
    const verify = () => passwords.verify('$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$AAAAAAAA', 'password')
    const asked = [hash(), hash(), ...Array.from({ length: 63 }, verify), ...Array.from({ length: 5 }, hash)]
    const all = await Promise.allSettled(asked)
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(4)
    expect(refused.every((reason) => reason instanceof Problem && reason.code === 'unavailable')).toBe(true)
  })
})
