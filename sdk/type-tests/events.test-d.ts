// Type tests: an event is told apart by its type, and errors by their classes.
import {
  type Brand,
  type CursorExpiredError,
  QuotaExceededError,
  RateLimitError,
  ValidationError,
  verifyWebhook,
  type Watch,
  WatchdataError,
  type WebhookEvent,
  type WebhookVerificationError,
} from '@watchdata/sdk'
import { expectAssignable, expectType } from 'tsd'

declare const request: Request
declare const body: Uint8Array
declare const nodeHeaders: Record<string, string | string[] | undefined>

const event = await verifyWebhook(await request.text(), request.headers, 'whsec_c2VjcmV0')
expectType<WebhookEvent>(event)
await verifyWebhook(body, nodeHeaders, ['whsec_bmV3', 'whsec_b2xk'], {
  toleranceSeconds: 60,
  now: new Date(),
})
// @ts-expect-error: the body has to be as it arrived
await verifyWebhook({ type: 'watch.created' }, request.headers, 'whsec_c2VjcmV0')
// @ts-expect-error: the secret is missing
await verifyWebhook('', request.headers)

export function handle(received: WebhookEvent): number {
  switch (received.type) {
    case 'watch.created':
    case 'watch.updated':
    case 'watch.price_changed':
      expectAssignable<Watch | null>(received.data.watch)
      return received.data.watch_id
    case 'watch.deleted':
      return received.data.watch_id
    case 'brand.created':
    case 'brand.updated':
    case 'brand.deleted':
      expectAssignable<Partial<Brand> | null>(received.data.brand)
      // @ts-expect-error: a change of a brand has no watch
      received.data.watch_id
      return received.data.brand_id
    case 'webhook.test':
      return received.data.webhook_id
    default:
      // Every type has been handled.
      expectType<never>(received)
      return received
  }
}

declare const error: unknown
if (error instanceof ValidationError) expectType<Readonly<Record<string, readonly string[]>>>(error.errors)
if (error instanceof RateLimitError) expectType<number | undefined>(error.retryAfterSeconds)
if (error instanceof QuotaExceededError) expectType<Date>(error.resetAt)
if (error instanceof WatchdataError) expectType<number | undefined>(error.status)
expectAssignable<RateLimitError>({} as QuotaExceededError)
expectAssignable<WatchdataError>({} as CursorExpiredError)
expectAssignable<Error>({} as WebhookVerificationError)
