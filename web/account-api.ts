// In charge of what the dashboard app and the service say to each other under /api/account and /api/operator, as types
// alone: the routes are written to them, and the app imports nothing else of the service.

export type PlanName = 'free' | 'pro' | 'platinum'
type Role = 'consumer' | 'operator'

/** GET /api/account. */
export interface AccountOverview {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly plan: PlanName
  readonly email_verified: boolean
  readonly has_second_factor: boolean
  readonly created_at: string
  readonly usage: UsageToday
}

export interface UsageToday {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly reset: string
  /** 30 of them, today last. */
  readonly days: readonly DayOfUse[]
}

export interface DayOfUse {
  /** UTC, as `2026-03-01`. */
  readonly date: string
  /** Requests that were counted against the quota. */
  readonly used: number
  /** Answers by their status, those that cost nothing among them: `{"200": 12, "429": 1}`. */
  readonly statuses: Readonly<Record<string, number>>
}

/** GET /api/account/keys. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The last four characters. */
  readonly hint: string
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked'
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** POST /api/account/keys, /keys/first and /keys/{id}/roll: the only moment at which `key` can be seen. */
export interface NewApiKey extends ApiKey {
  readonly key: string
}

/** GET /api/account/requests: one call, newest first. */
export interface RequestLine {
  readonly id: string
  readonly at: string
  readonly method: string
  /** As it was asked for, cut at 2,048 characters. */
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  /** Null where the key is not kept any more. */
  readonly key: { readonly id: string; readonly name: string; readonly hint: string } | null
}

export interface RequestPage {
  readonly data: readonly RequestLine[]
  readonly meta: {
    /** To be sent as `before` for the next page; null on the last. */
    readonly next: string | null
  }
}

/** GET /api/account/plans: what this instance offers. */
export interface PlanOffer {
  readonly id: PlanName
  readonly name: string
  readonly requestsPerDay: number
  readonly usdPerMonth: number
  readonly grants: readonly string[]
  /** Null for all there is, where prices are granted. */
  readonly priceHistoryDays: number | null
  readonly webhooksMax: number
}

/** GET /api/account/plan-requests (newest first), POST /api/account/plan-request. */
export interface PlanRequest {
  readonly id: string
  readonly plan: PlanName
  readonly status: 'pending' | 'granted' | 'declined' | 'withdrawn'
  readonly asked_at: string
  readonly decided_at: string | null
}

/** GET /api/auth/list-sessions. */
export interface SessionLine {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

/** POST /api/account/webhooks/check. */
export interface UrlCheck {
  /** What is wrong with the address; none when events can be sent to it. */
  readonly problems: readonly string[]
}

/** GET /api/operator/plan-requests: what waits for an operator, the oldest first. */
export interface WaitingPlanRequest {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: PlanName
  readonly asked_plan: PlanName
  readonly asked_at: string
}

/** What the server writes into the page of the app: who is signed in, so that the first paint knows it. */
export interface DashboardStart {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly plan: PlanName
  readonly baseUrl: string
  /** Whether mail leaves by a mail server; else it lies in the outbox of the service, and nobody is told by it. */
  readonly sendsMail: boolean
}

/** GET /api/account/webhooks: as /api/v1/webhooks has it. All of those routes are there too, free of charge. */
export interface Webhook {
  readonly id: number
  readonly endpoint_url: string
  readonly events: readonly string[]
  readonly filter: string | null
  readonly description: string | null
  readonly status: 'active' | 'paused' | 'disabled'
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly consecutive_failures: number
  readonly previous_secret_expires_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}

export interface Delivery {
  readonly id: number
  readonly event: {
    readonly id: string
    readonly type: string
    readonly timestamp: string
    readonly sequence: number | null
  }
  readonly status: 'waiting' | 'delivered' | 'failed'
  readonly attempts_count: number
  readonly next_attempt_at: string | null
  readonly waiting_for: 'earlier_event' | 'paused' | 'disabled' | null
  readonly last_attempt_at: string | null
  readonly last_response_status: number | null
  readonly last_error: string | null
  readonly created_at: string
}

export interface DeliveryDetails extends Delivery {
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  readonly attempts: readonly Attempt[]
}

export interface Attempt {
  readonly attempt: number
  readonly at: string
  readonly endpoint_url: string
  readonly duration_ms: number
  readonly response_status: number | null
  readonly response_body: string | null
  readonly error: string | null
}
