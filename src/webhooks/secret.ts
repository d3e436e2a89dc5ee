// In charge of the secrets that events are signed with: made here, kept sealed, and after a change two at once for a
// day, so that a receiver has time to learn the new one.
import { randomBytes } from 'node:crypto'
import type { Sealer } from '../seal.ts'
import { secretPrefix } from './sign.ts'

const secretBytes = 32
const overlapMs = 86_400_000

/** As the database has them: sealed. */
export interface SealedSecrets {
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: string | null
}

/** What a receiver is to know, seen when it is made and never again. */
export function generateSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/** The new secret beside the one before, which is good for another day; one before that is gone. */
export function replaceSecret(current: SealedSecrets, sealed: string, now: Date): SealedSecrets {
  const until = new Date(now.getTime() + overlapMs).toISOString()
  return { secret: sealed, old_secret: current.secret, old_secret_until: until }
}

/** What an event is signed with at that time, the newest first. */
export function secretsOf(row: SealedSecrets, sealer: Sealer, now: Date): string[] {
  const { secret, old_secret, old_secret_until } = row
  const hasOld = old_secret !== null && old_secret_until !== null && now.toISOString() < old_secret_until
  return [sealer.open(secret), ...(hasOld ? findOpened(old_secret, sealer) : [])]
}

/** One that cannot be opened any more must not keep the new one from signing: it was replaced for that. */
function findOpened(sealed: string, sealer: Sealer): string[] {
  try {
    return [sealer.open(sealed)]
  } catch {
    return []
  }
}
