// In charge of a service that can be told to take everybody for a good caller, and back again: loaded before it
// (`--import`), so that a benchmark can tell what authentication and charge cost within one and the same process. Nothing
// of the service itself knows of this.
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
// Each one changes it to the other.
process.on('SIGUSR2', () => {
  isOpenToAll = !isOpenToAll
})
