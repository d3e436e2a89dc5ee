// Encrypts values that the database stores but nobody should read there, with a key derived from the service's secret.
// If the operator has set that secret (SESSION_SECRET), a copy of the database alone reveals nothing; otherwise the
// secret is in the same database, and sealing only keeps the values from being seen by chance.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type Sealer = ReturnType<typeof createSealer>

const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** Names the format of the rest, so that the format can change one day. */
const prefix = 'v1.'
const purpose = 'watchdata seal v1'

export function createSealer(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes))
  return {
    seal(text: string): string {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      const sealed = [nonce, sealing.update(text, 'utf8'), sealing.final()]
      return prefix + Buffer.concat([...sealed, sealing.getAuthTag()]).toString('base64url')
    },
    /** Throws if the text was not sealed with this secret, or was changed since. */
    open(sealed: string): string {
      if (!sealed.startsWith(prefix)) throw new Error('the text to open is not sealed')
      const bytes = Buffer.from(sealed.slice(prefix.length), 'base64url')
      const nonce = bytes.subarray(0, nonceBytes)
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      opening.setAuthTag(bytes.subarray(-tagBytes))
      const text = opening.update(bytes.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([text, opening.final()]).toString('utf8')
    },
  }
}
