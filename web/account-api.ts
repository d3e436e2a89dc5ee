// The JSON types of /api/account and /api/operator, shared by the service's routes and the dashboard app. The app
// imports nothing else from the service.

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
  /** The last 30 days, oldest first; today is last. */
  readonly days: readonly DayOfUse[]
}

export interface DayOfUse {
  /** The UTC date: `2026-03-01`. */
  readonly date: string
  /** Requests counted against the quota. */
  readonly used: number
  /** Responses by status code, including those that cost no quota: `{"200": 12, "429": 1}`. */
  readonly statuses: Readonly<Record<string, number>>
}

/** GET /api/account/keys. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The last four characters of the key. */
  readonly hint: string
  /** Whether the key reads the sample catalogue, at no cost. */
  readonly is_test: boolean
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked'
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** POST /api/account/keys, /keys/first and /keys/{id}/roll: the only responses that contain the key itself. */
export interface NewApiKey extends ApiKey {
  readonly key: string
}

/** GET /api/account/requests: one request of the log, which is listed newest first. */
export interface RequestLine {
  readonly id: string
  readonly at: string
  readonly method: string
  /** The path as requested, truncated to 2,048 characters. */
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  /** Null when the key is no longer stored. */
  readonly key: { readonly id: string; readonly name: string; readonly hint: string } | null
}

export interface RequestPage {
  readonly data: readonly RequestLine[]
  readonly meta: {
    /** The value of `before` for the next page; null on the last page. */
    readonly next: string | null
  }
}

/** GET /api/account/plans: the plans of this instance. */
export interface PlanOffer {
  readonly id: PlanName
  readonly name: string
  readonly requestsPerDay: number
  readonly usdPerMonth: number
  readonly grants: readonly string[]
  /** Null means unlimited, when the plan grants `prices`. */
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
  /** What is wrong with the URL; empty when events can be sent to it. */
  readonly problems: readonly string[]
}

/** GET /api/operator/plan-requests: requests that are waiting for an operator's decision, oldest first. */
export interface WaitingPlanRequest {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: PlanName
  readonly asked_plan: PlanName
  readonly asked_at: string
}

/** JSON that the server embeds in the dashboard page: the signed-in user, known before the app's first request. */
export interface DashboardStart {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly plan: PlanName
  readonly baseUrl: string
  /** Whether a mail server is configured. Without one, emails stay in the service's outbox and nobody receives them. */
  readonly sendsMail: boolean
  /** Whether there are pages under /explore. */
  readonly hasExplorer: boolean
}

/** GET /api/account/webhooks: same as in /api/v1/webhooks. All of those routes exist here too and cost no quota. */
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
