// In charge of the headers by which a receiver knows that an event is ours and how old it is, as Standard Webhooks has
// them. The sums are node:crypto's, a quarter of what the library's JavaScript takes; a test holds one against the other.
import { createHmac } from 'node:crypto'

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
  // Keeping the decoded key would save a microsecond of seven, and keep secrets in memory for it.
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return createHmac('sha256', key).update(signedFirst).update(body).digest('base64')
}
