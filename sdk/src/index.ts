// The public interface of the SDK.
export type * from './api-types.ts'
export type { Call, RateLimit, WithResponse } from './call.ts'
export type { ChangeFeed, ChangeSelector, FollowQuery } from './change-feed.ts'
export { Watchdata } from './client.ts'
export {
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  NotFoundError,
  PlanError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  ValidationError,
  WatchdataError,
} from './errors.ts'
export type { CallOptions, ClientOptions } from './options.ts'
export type { PageCall } from './page-call.ts'
export type { BrandQuery } from './resources/brands.ts'
export type { ChangesQuery } from './resources/changes.ts'
export type { PricesQuery } from './resources/watches.ts'
export type { DeliveryQuery } from './resources/webhooks.ts'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts'
export type { WatchExport } from './watch-export.ts'
export type {
  FilterValue,
  Paging,
  PriceFilter,
  SpecFilter,
  SpecOperators,
  WatchField,
  WatchQuery,
} from './watch-query.ts'
export type { WatchPage, WatchRow } from './watch-row.ts'
