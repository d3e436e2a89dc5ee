// Generates, rotates and opens the secrets that events are signed with. They are stored sealed. After a rotation both
// the new and the old secret sign for 24 hours, so that a receiver has time to switch.
import { randomBytes } from 'node:crypto'
import type { Sealer } from '../seal.ts'
import { secretPrefix } from './sign.ts'

const secretBytes = 32
const overlapMs = 86_400_000

/** The secrets of an endpoint as the database stores them: sealed. */
export interface SealedSecrets {
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: string | null
}

/** Returns a secret for the receiver. Its owner sees it when it is created, and never again. */
export function generateSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/** Returns the new secret with the current one as the old, valid for another 24 hours. An older one is dropped. */
export function replaceSecret(current: SealedSecrets, sealed: string, now: Date): SealedSecrets {
  const until = new Date(now.getTime() + overlapMs).toISOString()
  return { secret: sealed, old_secret: current.secret, old_secret_until: until }
}

/** Returns the secrets that sign an event at the time `now`, the newest first. */
export function secretsOf(row: SealedSecrets, sealer: Sealer, now: Date): string[] {
  const { secret, old_secret, old_secret_until } = row
  const hasOld = old_secret !== null && old_secret_until !== null && now.toISOString() < old_secret_until
  return [sealer.open(secret), ...(hasOld ? findOpened(old_secret, sealer) : [])]
}

/** Skips an old secret that cannot be opened: it was probably rotated for that reason, and the new one must sign. */
function findOpened(sealed: string, sealer: Sealer): string[] {
  try {
    return [sealer.open(sealed)]
  } catch {
    return []
  }
}
