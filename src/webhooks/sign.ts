// Builds the headers of a post: the Standard Webhooks ones, by which a receiver verifies the origin and age of an event,
// and those that every post has. Signs with node:crypto, in a quarter of the time that the library's JavaScript takes; a
// test compares the two.
import { createHmac } from 'node:crypto'
import { version } from '../version.ts'

/** The headers that every post has, besides the signature headers. */
export const plainHeaders = {
  'content-type': 'application/json',
  'user-agent': `watchdata/${version}`,
} as const

export const secretPrefix = 'whsec_'

/** One signature for each secret, in the order given: the newest should come first. */
export function signatureHeaders(
  messageId: string,
  at: Date,
  body: string | Buffer,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signedFirst = `${messageId}.${timestamp}.`
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(signedFirst, body, secret)}`).join(' '),
  }
}

function signatureOf(signedFirst: string, body: string | Buffer, secret: string): string {
  // Caching the decoded key would save one microsecond of seven, but would keep secrets in memory.
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(signedFirst).update(body).digest('base64')
}
