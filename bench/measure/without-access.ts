// Preloaded into the service (`--import`): SIGUSR2 switches authentication and the quota charge off and on, so that a
// benchmark can measure their cost within one process. The service itself does not know this module.
import type { Allowance } from '../../src/access/plans/quota.ts'
import { KnownConnections } from '../../src/http/api/authenticate.ts'
import { Charges } from '../../src/http/api/charge.ts'

const anyone = { accountId: 'anyone', keyId: 'any', plan: 'platinum' } as const
const plenty: Allowance = {
  limit: 100_000_000_000,
  used: 1,
  remaining: 99_999_999_999,
  resetSeconds: 1_800_000_000,
  isGranted: true,
}

const { find } = KnownConnections.prototype
const { chargeAhead } = Charges.prototype
let isOpenToAll = false

KnownConnections.prototype.find = function (request) {
  return isOpenToAll ? anyone : find.call(this, request)
}
Charges.prototype.chargeAhead = function (caller) {
  return isOpenToAll ? plenty : chargeAhead.call(this, caller)
}
// Each signal toggles the switch.
process.on('SIGUSR2', () => {
  isOpenToAll = !isOpenToAll
})
