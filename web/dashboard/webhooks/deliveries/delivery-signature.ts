// Builds the exact text that an attempt signed, and a shell command that computes its signature. The app does not
// know the secret, so it cannot show the signature itself.
import type { Attempt, DeliveryDetails } from '../../../account-api.ts'
import { inShell } from '../../../scripts/curl.ts'

/** The `webhook-timestamp` of the attempt: whole seconds. */
export function timestampOf({ at }: Pick<Attempt, 'at'>): string {
  return String(Math.floor(Date.parse(at) / 1_000))
}

/** `webhook-id.webhook-timestamp.body`, byte for byte. */
export function signedString(
  { event, request }: Pick<DeliveryDetails, 'event' | 'request'>,
  attempt: Pick<Attempt, 'at'>,
): string {
  return `${event.id}.${timestampOf(attempt)}.${request.body}`
}

/** A command that prints the header's `v1,…`, given WEBHOOK_SECRET in the environment. */
export function signCommand(signed: string): string {
  const key = `$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`
  return [
    `printf %s ${inShell(signed)} |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:${key}" -binary |`,
    `  base64 | sed 's/^/v1,/'`,
  ].join('\n')
}
