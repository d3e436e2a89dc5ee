// In charge of the service as it would be if everybody could ask for anything: loaded before it (`--import`), so that a
// benchmark can tell what authentication and charge cost. Nothing of the service itself knows of this.
import type { Allowance } from '../src/access/quota.ts'
import { KnownConnections } from '../src/http/authenticate.ts'
import { Charges } from '../src/http/charge.ts'

const anyone = { accountId: 'anyone', keyId: 'any', plan: 'platinum' } as const
const plenty: Allowance = {
  limit: 100_000_000_000,
  used: 1,
  remaining: 99_999_999_999,
  resetSeconds: 1_800_000_000,
  isGranted: true,
}

KnownConnections.prototype.find = () => anyone
Charges.prototype.chargeAhead = () => plenty
