// In charge of what was signed: of an attempt the very text, and how to make its signature by hand. The secret is not
// known here, so the signature itself cannot be shown.
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

/** Prints the `v1,…` that the header has, given WEBHOOK_SECRET in the environment. */
export function signCommand(signed: string): string {
  const key = `$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`
  return [
    `printf %s ${inShell(signed)} |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:${key}" -binary |`,
    `  base64 | sed 's/^/v1,/'`,
  ].join('\n')
}
