// The types of all responses, request bodies and events. Made from the OpenAPI document by `npm run types -w sdk`: do not
// edit.

export interface WatchAnswer {
  data: Watch
}

/** A watch of the catalogue. */
export interface Watch {
  /** Identifier of the watch. */
  id: number
  /** Brand name. */
  brand: string
  /** Collection name. */
  collection: string
  /** Reference of the manufacturer. Empty if the watch has none, as many vintage watches do. */
  reference_number: string
  /** Retail price in US dollars; null when it is not known. */
  retail_price_usd: number | null
  /** Current market price; null when it is not known. */
  current_market_price: number | null
  /** Specification attributes as they were stored. Any key may occur, with any JSON value: text, number, boolean, a list of these. */
  specs: Record<string, unknown>
  /** When it last changed, RFC 3339 in UTC. */
  updated_at: string
}

export interface WatchList {
  data: Watch[]
  meta: Meta
  /** With `facets`: for each key its values, the most frequent first. */
  facets?: Record<string, ValueCount[]> | undefined
  /** With `explain`: how each filter was interpreted. */
  explain?: FilterReading[] | undefined
}

/** The position of a page in the list. */
export interface Meta {
  /** Page number, counted from 1. */
  current_page: number
  /** Number of items per page. */
  per_page: number
  /** Number of matching items on all pages. */
  total: number
}

/** A value, and how many watches have it. */
export interface ValueCount {
  /** The value, ready to be sent as a filter: a quantity in the unit of its key. */
  value: string | number | boolean
  /** How many watches have it. */
  count: number
}

/** How a filter was interpreted. */
export interface FilterReading {
  /** The parameter name of the filter, before the `=`. */
  parameter: string
  /** The same for clients that write no nested brackets: `spec[case_diameter:gte]`. */
  one_level: string
  values: {
    /** The value as it was sent. */
    written: string
    /** How it was interpreted. */
    read_as: string
    kind:
      | 'text'
      | 'number'
      | 'quantity'
      | 'synonym'
      | 'boolean'
      | 'brand'
      | 'reference'
      | 'word'
      | 'completed'
      | 'typo'
      | 'split'
      | 'nickname'
      | 'value'
      | 'filter'
      | 'price'
      | 'base'
      | 'optional'
      | 'dropped'
  }[]
  /** How many watches match this filter alone. */
  total: number
}

/** A list of watches when `fields` is used. */
export interface PickedWatchList {
  data: PickedWatch[]
  meta: Meta
  /** With `facets`: for each key its values, the most frequent first. */
  facets?: Record<string, ValueCount[]> | undefined
  /** With `explain`: how each filter was interpreted. */
  explain?: FilterReading[] | undefined
}

/** A watch with only the fields listed in `fields`. */
export interface PickedWatch {
  /** Identifier of the watch. */
  id?: number | undefined
  /** Brand name. */
  brand?: string | undefined
  /** Collection name. */
  collection?: string | undefined
  /** Reference of the manufacturer. Empty if the watch has none, as many vintage watches do. */
  reference_number?: string | undefined
  /** Retail price in US dollars; null when it is not known. */
  retail_price_usd?: number | null | undefined
  /** Current market price; null when it is not known. */
  current_market_price?: number | null | undefined
  /** Specification attributes as they were stored. Any key may occur, with any JSON value: text, number, boolean, a list of these. */
  specs?: Record<string, unknown> | undefined
  /** When it last changed, RFC 3339 in UTC. */
  updated_at?: string | undefined
}

export interface BrandAnswer {
  data: Brand
}

/** A brand, and how many of its collections and watches the catalogue has. */
export interface Brand {
  /** Identifier of the brand. */
  id: number
  /** Name of the brand. */
  name: string
  /** The name as used in URLs. */
  slug: string
  /** Other names that filters accept. */
  aliases: string[]
  /** Country of the brand; null when it is not known. */
  country: string | null
  /** Year in which it was founded; null when it is not known. */
  founded_year: number | null
  /** Its website; null when it is not known. */
  website: string | null
  /** How many of its collections the catalogue has. */
  collections_count: number
  /** How many of its watches the catalogue has. */
  watches_count: number
  /** When it last changed, RFC 3339 in UTC. */
  updated_at: string
}

export interface BrandList {
  data: Brand[]
  meta: Meta
}

export interface SuggestionList {
  data: Suggestion[]
}

/** What a text may become. */
export interface Suggestion {
  type: 'brand' | 'collection' | 'nickname' | 'reference' | 'value'
  /** The completion, as it is written. */
  text: string
  /** The brand of a collection, nickname or reference; null where several brands have it. */
  brand: string | null
  /** The spec key of a value. */
  key: string | null
  /** The query string of the list of these watches, to append to `/watches?`. */
  query: string
  /** How many watches that list has. */
  watches_count: number
}

export interface SpecKeyList {
  data: SpecKey[]
}

/** A key of `specs`. */
export interface SpecKey {
  /** The key, as used in the brackets of a filter. */
  key: string
  /** The type of most of its values. */
  type: 'text' | 'number' | 'quantity' | 'boolean'
  /** The unit assumed for a bare number of this key; null when it has none. */
  unit: string | null
  /** How many watches have the key. */
  watches_count: number
  /** How many different values it has. */
  values_count: number
  /** Its most frequent values. */
  examples: (string | number | boolean)[]
}

export interface SpecValueList {
  data: ValueCount[]
  meta: Meta
}

/** The price history of a watch, newest line first. */
export interface PriceHistory {
  data: PriceLine[]
  /** Change of the market price within 30 days, in percent; null when it cannot be calculated. */
  change_30d: number | null
  /** Change of the market price within 365 days, in percent; null when it cannot be calculated. */
  change_365d: number | null
}

/** The prices of a watch from a day until the next line. */
export interface PriceLine {
  /** The first day on which these prices were valid, in UTC. */
  date: string
  /** Retail price in US dollars; null when it is not known. */
  retail_price_usd: number | null
  /** Market price of that day; null when it is not known. */
  current_market_price: number | null
  /** Where the prices come from. */
  source: string
}

export interface ResolutionList {
  data: Resolution[]
}

/** Which watches a text may mean. */
export interface Resolution {
  /** The text as it was sent. */
  text: string
  /** `exact`: the text has the whole reference of the first candidate. `likely`: the first candidate is meant without doubt in the rest. `ambiguous`: it may be several, or one that the catalogue lacks. `none`: no watch of the catalogue. */
  match: 'exact' | 'likely' | 'ambiguous' | 'none'
  /** The watches that it may be, best first. */
  candidates: Candidate[]
  /** What else the text says; null where it does not. */
  read: {
    /** The brand, as the catalogue spells it. */
    brand: string | null
    /** The reference in the text, even if no watch has it. */
    reference: string | null
    /** The year of the watch. */
    year: number | null
    /** The condition, in one word of this list. */
    condition: 'new' | 'unworn' | 'mint' | 'excellent' | 'very good' | 'good' | 'fair' | 'used' | null
    /** Whether the box comes with it; null if the text does not say. */
    box: boolean | null
    /** Whether the papers come with it; null if the text does not say. */
    papers: boolean | null
    /** The price in the text. */
    price: number | null
    /** Its currency, as ISO 4217 code. */
    currency: string | null
  }
}

/** A watch that a text may mean. */
export interface Candidate {
  watch: Watch
  /** How likely this watch is meant: of many candidates with 0.8, about four in five are. */
  confidence: number
  /** What in the text speaks for it, such as `nickname Hulk` or `year 2018`. */
  reasons: string[]
}

export interface ChangeList {
  data: Change[]
  meta: ChangeMeta
}

/** A change of the catalogue. */
export interface Change {
  /** Its position in the log. It increases by one with every change. */
  sequence: number
  /** What happened. */
  type:
    | 'watch.created'
    | 'watch.updated'
    | 'watch.price_changed'
    | 'watch.deleted'
    | 'brand.created'
    | 'brand.updated'
    | 'brand.deleted'
  /** When it happened, RFC 3339 in UTC. */
  at: string
  /** Id of the watch; not in changes of brands. */
  watch_id?: number | undefined
  /** The current state of the watch; null when it no longer exists. */
  watch?: Watch | null | undefined
  /** Id of the brand; only in changes of brands. */
  brand_id?: number | undefined
  /** The current state of the brand; null when it no longer exists. */
  brand?: ChangedBrand | null | undefined
  /** The changed fields and prices, each with its `old` and `new` value; a spec is `specs.<key>`. */
  changes?:
    | Record<
        string,
        {
          old: unknown
          'new': unknown
        }
      >
    | undefined
  /** With `watch.deleted`: the `brand`, `collection` and `reference_number` of the deleted watch, where the log has them. */
  deleted?:
    | {
        /** Brand name. */
        brand: string
        /** Collection name. */
        collection: string
        /** Reference of the manufacturer. Empty if the watch has none, as many vintage watches do. */
        reference_number: string
      }
    | undefined
  /** With `brand.updated`: the brands that were merged into this one and no longer exist. */
  merged?:
    | {
        /** Identifier of the brand. */
        id: number
        /** Name of the brand. */
        name: string
        /** The name as used in URLs. */
        slug: string
      }[]
    | undefined
}

/** A brand without its counts, which change with its watches. */
export interface ChangedBrand {
  /** Identifier of the brand. */
  id: number
  /** Name of the brand. */
  name: string
  /** The name as used in URLs. */
  slug: string
  /** Other names that filters accept. */
  aliases: string[]
  /** Country of the brand; null when it is not known. */
  country: string | null
  /** Year in which it was founded; null when it is not known. */
  founded_year: number | null
  /** Its website; null when it is not known. */
  website: string | null
  /** When it last changed, RFC 3339 in UTC. */
  updated_at: string
}

/** Where a page of changes ends. */
export interface ChangeMeta {
  /** The cursor to continue with: the next `since`. */
  next_cursor: string
  /** Whether more changes are available now. */
  has_more: boolean
}

/** One `Watch` per line, ordered by id. */
export type ExportLines = string

export interface WebhookAnswer {
  data: Webhook
}

/** A URL that events are posted to. */
export interface Webhook {
  /** Identifier of the webhook. */
  id: number
  /** The URL that events are posted to: https, and reachable from the internet. */
  endpoint_url: string
  /** The events to send: types by name, all of a kind (`watch.*`) or all (`*`, the default of a new webhook). */
  events: (
    | '*'
    | 'watch.*'
    | 'brand.*'
    | 'watch.created'
    | 'watch.updated'
    | 'watch.price_changed'
    | 'watch.deleted'
    | 'brand.created'
    | 'brand.updated'
    | 'brand.deleted'
  )[]
  /** A query string as for a list of watches; null for no filter. Only events of watches that match it before or after the change are sent, and no events of brands, so it cannot be combined with brand events only. */
  filter: string | null
  /** A description of your own, up to 255 characters. */
  description: string | null
  /** `active`: events are sent. `paused`: events are recorded, and sent once the webhook is active again. `disabled`: nothing is recorded; the service sets this after a response of 410, or after five days in which every attempt failed. */
  status: 'active' | 'paused' | 'disabled'
  /** When an event was last delivered; null before the first. */
  last_success_at: string | null
  /** When an attempt last failed; null before the first. */
  last_failure_at: string | null
  /** How many attempts have failed since the last success. */
  consecutive_failures: number
  /** Until when events are also signed with the previous secret; null where it was never rotated. */
  previous_secret_expires_at: string | null
  /** When it was created, RFC 3339 in UTC. */
  created_at: string
  /** When it last changed, RFC 3339 in UTC. */
  updated_at: string
}

export interface WebhookList {
  data: Webhook[]
}

export interface WebhookSecretAnswer {
  data: WebhookWithSecret
}

/** A webhook with its newly created secret. */
export interface WebhookWithSecret {
  /** Identifier of the webhook. */
  id: number
  /** The URL that events are posted to: https, and reachable from the internet. */
  endpoint_url: string
  /** The events to send: types by name, all of a kind (`watch.*`) or all (`*`, the default of a new webhook). */
  events: (
    | '*'
    | 'watch.*'
    | 'brand.*'
    | 'watch.created'
    | 'watch.updated'
    | 'watch.price_changed'
    | 'watch.deleted'
    | 'brand.created'
    | 'brand.updated'
    | 'brand.deleted'
  )[]
  /** A query string as for a list of watches; null for no filter. Only events of watches that match it before or after the change are sent, and no events of brands, so it cannot be combined with brand events only. */
  filter: string | null
  /** A description of your own, up to 255 characters. */
  description: string | null
  /** `active`: events are sent. `paused`: events are recorded, and sent once the webhook is active again. `disabled`: nothing is recorded; the service sets this after a response of 410, or after five days in which every attempt failed. */
  status: 'active' | 'paused' | 'disabled'
  /** When an event was last delivered; null before the first. */
  last_success_at: string | null
  /** When an attempt last failed; null before the first. */
  last_failure_at: string | null
  /** How many attempts have failed since the last success. */
  consecutive_failures: number
  /** Until when events are also signed with the previous secret; null where it was never rotated. */
  previous_secret_expires_at: string | null
  /** When it was created, RFC 3339 in UTC. */
  created_at: string
  /** When it last changed, RFC 3339 in UTC. */
  updated_at: string
  /** The secret that signs events, as Standard Webhooks defines it: `whsec_` and 32 bytes in base64. Shown in this response and never again. */
  secret: string
}

export interface DeliveryAnswer {
  data: Delivery
}

/** One event for one webhook. */
export interface Delivery {
  /** The number of its event. It increases across the whole service, and is the same for every webhook that gets the event. */
  id: number
  /** Its `id`, `type`, `timestamp` and `sequence`. */
  event: DeliveredEvent
  /** The state of the delivery. */
  status: 'waiting' | 'delivered' | 'failed'
  /** How often it was sent, redeliveries included. */
  attempts_count: number
  /** The earliest time of the next attempt; null when the delivery is finished, and while it waits for something else. */
  next_attempt_at: string | null
  /** What the next attempt waits for: `earlier_event`, a waiting delivery of the same watch; `paused` or `disabled`, until you set the webhook to active. Null when nothing blocks it. */
  waiting_for: 'earlier_event' | 'paused' | 'disabled' | null
  /** When it was last sent; null before the first attempt. */
  last_attempt_at: string | null
  /** The HTTP status of the response to the last attempt; null without a response. */
  last_response_status: number | null
  /** Why the last attempt got no response; null otherwise. */
  last_error: string | null
  /** When it was recorded. Deliveries are kept for 30 days. */
  created_at: string
}

/** The event of a delivery. */
export interface DeliveredEvent {
  /** The `webhook-id` header, the same for every attempt. */
  id: string
  /** What happened. */
  type:
    | 'watch.created'
    | 'watch.updated'
    | 'watch.price_changed'
    | 'watch.deleted'
    | 'brand.created'
    | 'brand.updated'
    | 'brand.deleted'
    | 'webhook.test'
  /** When it happened. */
  timestamp: string
  /** Its position in the change log; null for a test. */
  sequence: number | null
}

export interface DeliveryDetailsAnswer {
  data: DeliveryDetails
}

/** A delivery with its request and its attempts. */
export interface DeliveryDetails {
  /** The number of its event. It increases across the whole service, and is the same for every webhook that gets the event. */
  id: number
  /** Its `id`, `type`, `timestamp` and `sequence`. */
  event: DeliveredEvent
  /** The state of the delivery. */
  status: 'waiting' | 'delivered' | 'failed'
  /** How often it was sent, redeliveries included. */
  attempts_count: number
  /** The earliest time of the next attempt; null when the delivery is finished, and while it waits for something else. */
  next_attempt_at: string | null
  /** What the next attempt waits for: `earlier_event`, a waiting delivery of the same watch; `paused` or `disabled`, until you set the webhook to active. Null when nothing blocks it. */
  waiting_for: 'earlier_event' | 'paused' | 'disabled' | null
  /** When it was last sent; null before the first attempt. */
  last_attempt_at: string | null
  /** The HTTP status of the response to the last attempt; null without a response. */
  last_response_status: number | null
  /** Why the last attempt got no response; null otherwise. */
  last_error: string | null
  /** When it was recorded. Deliveries are kept for 30 days. */
  created_at: string
  /** The request that is sent: `url`, `headers` and `body`. */
  request: {
    /** The URL of the next attempt. */
    url: string
    /** The headers that are the same for every attempt: without timestamp and signature. */
    headers: Record<string, string>
    /** The exact text that is sent and signed. */
    body: string
  }
  /** The last 100 attempts, newest first: `attempt` (counted from 1), `at`, `endpoint_url`, `duration_ms`, `response_status`, `response_body` (the first 4 KB) and `error` (why there was no response). */
  attempts: Attempt[]
}

/** The result of one attempt. */
export interface Attempt {
  /** The number of the attempt, counted from 1. */
  attempt: number
  /** When it was sent. */
  at: string
  /** The URL that it was sent to. */
  endpoint_url: string
  /** How long the attempt took, in milliseconds. */
  duration_ms: number
  /** The HTTP status of the response; null without one. */
  response_status: number | null
  /** The first 4 KB of the response; null without one. */
  response_body: string | null
  /** Why there was no response; null otherwise. */
  error: string | null
}

export interface DeliveryList {
  data: Delivery[]
  meta: Meta
}

export interface RedeliveryAnswer {
  data: {
    /** Number of deliveries that are sent again. */
    redelivered: number
  }
}

export interface UsageAnswer {
  data: Usage
}

/** The quota of an account today, and its usage over the last 30 days. */
export interface Usage {
  /** The plan of the account. */
  plan: 'free' | 'pro' | 'platinum'
  /** Requests per day that the plan allows. */
  limit: number
  /** Requests counted today, for all keys of the account. */
  used: number
  /** Requests left today. */
  remaining: number
  /** When the quota resets: the next 00:00 UTC, as RFC 3339. */
  reset: string
  /** The last 30 days, oldest first, today last: the `date` in UTC, and the requests `used`. */
  days: {
    date: string
    used: number
  }[]
}

/** Why a request failed. */
export interface Problem {
  /** The error in one plain sentence. */
  message: string
  /** Further details; usually absent. */
  errors?: Record<string, string[]> | undefined
}

/** Which parameters are not valid, and why. */
export interface InvalidProblem {
  /** The error in one plain sentence. */
  message: string
  /** The errors of each field; a spec filter is named `spec.<key>`. */
  errors: Record<string, string[]>
}

/** Only the URL is required. */
export interface NewWebhook {
  /** The URL that events are posted to: https, and reachable from the internet. */
  endpoint_url: string
  /** The events to send: types by name, all of a kind (`watch.*`) or all (`*`, the default of a new webhook). */
  events?:
    | (
        | '*'
        | 'watch.*'
        | 'brand.*'
        | 'watch.created'
        | 'watch.updated'
        | 'watch.price_changed'
        | 'watch.deleted'
        | 'brand.created'
        | 'brand.updated'
        | 'brand.deleted'
      )[]
    | undefined
  /** A query string as for a list of watches; null for no filter. Only events of watches that match it before or after the change are sent, and no events of brands, so it cannot be combined with brand events only. */
  filter?: string | null | undefined
  /** A description of your own, up to 255 characters. */
  description?: string | null | undefined
  /** Whether events are sent. `active` also enables a disabled webhook again. */
  status?: 'active' | 'paused' | undefined
}

/** The fields to change; the others stay as they are. */
export interface WebhookChanges {
  /** The URL that events are posted to: https, and reachable from the internet. */
  endpoint_url?: string | undefined
  /** The events to send: types by name, all of a kind (`watch.*`) or all (`*`, the default of a new webhook). */
  events?:
    | (
        | '*'
        | 'watch.*'
        | 'brand.*'
        | 'watch.created'
        | 'watch.updated'
        | 'watch.price_changed'
        | 'watch.deleted'
        | 'brand.created'
        | 'brand.updated'
        | 'brand.deleted'
      )[]
    | undefined
  /** A query string as for a list of watches; null for no filter. Only events of watches that match it before or after the change are sent, and no events of brands, so it cannot be combined with brand events only. */
  filter?: string | null | undefined
  /** A description of your own, up to 255 characters. */
  description?: string | null | undefined
  /** Whether events are sent. `active` also enables a disabled webhook again. */
  status?: 'active' | 'paused' | undefined
}

export interface RedeliveryRequest {
  /** Failed deliveries recorded at this time or later are sent again, except tests. RFC 3339. */
  since: string
}

/** The list alone is accepted, too. */
export interface Titles {
  /** The texts to resolve. */
  texts: (string | Title)[]
}

/** A text, and what else is known of the watch. */
export interface Title {
  /** The title of an offer, or any other text about one watch. */
  text: string
  /** The brand, if it is known. */
  brand?: string | null | undefined
  /** The price, if it is known. It decides only between equals. */
  price?: number | null | undefined
}

/** The body of `watch.created`. */
export interface WatchCreatedEvent {
  /** What happened. */
  type: 'watch.created'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: WatchEventData
}

/** A change of a watch. */
export interface WatchEventData {
  /** Its position in the change log. */
  sequence: number
  /** The `sequence` of the previous event for this webhook. If you have not received that event, read the change log from the last one you have. */
  previous_sequence: number
  /** Id of the watch. */
  watch_id: number
  /** The watch as it was after the change; null when it no longer exists. */
  watch: Watch | null
  /** The changed fields and prices, each with its `old` and `new` value; a spec is `specs.<key>`. */
  changes?:
    | Record<
        string,
        {
          old: unknown
          'new': unknown
        }
      >
    | undefined
  /** With `watch.deleted`: the `brand`, `collection` and `reference_number` of the deleted watch, where the log has them. */
  deleted?:
    | {
        /** Brand name. */
        brand: string
        /** Collection name. */
        collection: string
        /** Reference of the manufacturer. Empty if the watch has none, as many vintage watches do. */
        reference_number: string
      }
    | undefined
}

/** The body of `watch.updated`. */
export interface WatchUpdatedEvent {
  /** What happened. */
  type: 'watch.updated'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: WatchEventData
}

/** The body of `watch.price_changed`. */
export interface WatchPriceChangedEvent {
  /** What happened. */
  type: 'watch.price_changed'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: WatchEventData
}

/** The body of `watch.deleted`. */
export interface WatchDeletedEvent {
  /** What happened. */
  type: 'watch.deleted'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: WatchEventData
}

/** The body of `brand.created`. */
export interface BrandCreatedEvent {
  /** What happened. */
  type: 'brand.created'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: BrandEventData
}

/** A change of a brand. */
export interface BrandEventData {
  /** Its position in the change log. */
  sequence: number
  /** The `sequence` of the previous event for this webhook. If you have not received that event, read the change log from the last one you have. */
  previous_sequence: number
  /** Id of the brand. */
  brand_id: number
  /** The brand; null when it no longer exists. */
  brand: ChangedBrand | null
  /** The changed fields and prices, each with its `old` and `new` value; a spec is `specs.<key>`. */
  changes?:
    | Record<
        string,
        {
          old: unknown
          'new': unknown
        }
      >
    | undefined
  /** With `brand.updated`: the brands that were merged into this one and no longer exist. */
  merged?:
    | {
        /** Identifier of the brand. */
        id: number
        /** Name of the brand. */
        name: string
        /** The name as used in URLs. */
        slug: string
      }[]
    | undefined
}

/** The body of `brand.updated`. */
export interface BrandUpdatedEvent {
  /** What happened. */
  type: 'brand.updated'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: BrandEventData
}

/** The body of `brand.deleted`. */
export interface BrandDeletedEvent {
  /** What happened. */
  type: 'brand.deleted'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: BrandEventData
}

/** The body of `webhook.test`. */
export interface WebhookTestEvent {
  /** What happened. */
  type: 'webhook.test'
  /** When it happened, RFC 3339 in UTC. */
  timestamp: string
  data: TestEventData
}

/** A test: nothing has changed. */
export interface TestEventData {
  /** Id of the tested webhook. */
  webhook_id: number
  /** A text that says that this is a test. */
  message: string
}
