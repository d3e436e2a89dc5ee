// Preloaded into the service (`--import`): SIGUSR2 switches authentication and the quota charge off and on, so that a
// benchmark can measure their cost within one process. The service itself does not know this module.
import type { Allowance } from '../../src/access/plans/quota.ts'
import { Authentication } from '../../src/http/api/authenticate.ts'
import { Charges } from '../../src/http/api/charge.ts'

const anyone = { accountId: 'anyone', keyId: 'any', plan: 'platinum', isTest: false } as const
const plenty: Allowance = {
  limit: 100_000_000_000,
  used: 1,
  remaining: 99_999_999_999,
  resetSeconds: 1_800_000_000,
  isGranted: true,
}

const { getCaller } = Authentication.prototype
const { settle } = Charges.prototype
let isOpenToAll = false

Authentication.prototype.getCaller = function (request) {
  return isOpenToAll ? anyone : getCaller.call(this, request)
}
Charges.prototype.settle = function (bill) {
  if (!isOpenToAll) return settle.call(this, bill)
  bill.isChargeDue = false
  bill.allowance = plenty
}
// Each signal toggles the switch.
process.on('SIGUSR2', () => {
  isOpenToAll = !isOpenToAll
})
