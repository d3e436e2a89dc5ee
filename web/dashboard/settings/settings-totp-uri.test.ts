import { expect, test } from 'vitest'
import { secretIn } from './settings-totp-uri.ts'

test('the secret is told in groups that can be typed', () => {
  expect(secretIn('otpauth://totp/watchdata:ada?secret=JBSWY3DPEHPK3PXPAB&issuer=watchdata')).toBe(
    'JBSW Y3DP EHPK 3PXP AB',
  )
})

test('an address without a secret has none to tell', () => {
  expect(secretIn('otpauth://totp/watchdata:ada')).toBe('')
})
