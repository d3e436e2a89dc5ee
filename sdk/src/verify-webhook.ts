// Verifies that an event was sent by the service, as Standard Webhooks defines it, with WebCrypto alone.
import type {
  BrandCreatedEvent,
  BrandDeletedEvent,
  BrandUpdatedEvent,
  WatchCreatedEvent,
  WatchDeletedEvent,
  WatchPriceChangedEvent,
  WatchUpdatedEvent,
  WebhookTestEvent,
} from './api-types.ts'

/** An event, told apart by its `type`. */
export type WebhookEvent =
  | WatchCreatedEvent
  | WatchUpdatedEvent
  | WatchPriceChangedEvent
  | WatchDeletedEvent
  | BrandCreatedEvent
  | BrandUpdatedEvent
  | BrandDeletedEvent
  | WebhookTestEvent

/** The event was not signed with your secret, was changed, or is old. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** How far the time of the event may be from now. The default is 300. */
  toleranceSeconds?: number | undefined
  /** The time that counts as now. */
  now?: Date | undefined
}

/** The headers of a request, as `Headers` or as Node's servers have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceDefaultSeconds = 300
const secretPrefix = 'whsec_'
const signaturePrefix = 'v1,'
/** The service sends two at most. */
const signaturesMax = 10

/**
 * Returns the event, or throws a WebhookVerificationError that says what is wrong. Pass the body as it arrived, before it
 * is parsed. While you replace a secret, pass the old and the new one.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = toleranceDefaultSeconds, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('The body must be the text or the bytes that arrived, not what was parsed of them')
  }
  const keys = await Promise.all([secret].flat().map(importSecret))
  if (keys.length === 0) throw new TypeError('The secret is missing')
  const id = getHeader(headers, 'webhook-id')
  const timestamp = getHeader(headers, 'webhook-timestamp')
  const signatures = getHeader(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith(signaturePrefix))
    .slice(0, signaturesMax)
    .map((one) => fromBase64(one.slice(signaturePrefix.length)))
  checkTime(timestamp, toleranceSeconds, now)
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, keys, signatures))) {
    throw new WebhookVerificationError(
      'No signature matches: another secret was used, or the body is not the one that was sent. Pass the raw body.',
    )
  }
  return JSON.parse(new TextDecoder().decode(body))
}

function checkTime(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d+$/.test(timestamp)) {
    throw new WebhookVerificationError('The header webhook-timestamp is not a number of seconds')
  }
  const age = Math.round(now.getTime() / 1_000 - Number(timestamp))
  if (Math.abs(age) <= toleranceSeconds) return
  const when = age > 0 ? `${age} seconds ago` : `${-age} seconds in the future`
  throw new WebhookVerificationError(`The event was sent ${when}; ${toleranceSeconds} are tolerated`)
}

/** Compares in constant time, as `verify` does. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  keys: readonly CryptoKey[],
  signatures: readonly (Uint8Array<ArrayBuffer> | undefined)[],
): Promise<boolean> {
  for (const key of keys) {
    for (const signature of signatures) {
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
    }
  }
  return false
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = secret?.startsWith(secretPrefix) ? fromBase64(secret.slice(secretPrefix.length)) : undefined
  if (!bytes?.length) throw new TypeError(`The secret is missing, or not one: it begins with ${secretPrefix}`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function getHeader(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1]
  const text = [value ?? []].flat().join(' ')
  if (text === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return text
}

/** Frameworks have classes of their own for headers. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
