import { expect, test } from 'vitest'
import { secretIn } from './settings-totp-uri.ts'

test('the secret is split into groups that are easy to type', () => {
  expect(secretIn('otpauth://totp/watchdata:ada?secret=JBSWY3DPEHPK3PXPAB&issuer=watchdata')).toBe(
    'JBSW Y3DP EHPK 3PXP AB',
  )
})

test('a URI without a secret gives an empty text', () => {
  expect(secretIn('otpauth://totp/watchdata:ada')).toBe('')
})
