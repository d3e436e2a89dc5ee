// The calls that every generated client makes. The types say what its results have to be: a client whose fields are
// optional, or of another type, does not compile.

export interface Watch {
  readonly id: number
  readonly brand: string
  readonly reference_number: string
  readonly retail_price_usd: number | null
  readonly specs: Readonly<Record<string, unknown>>
  readonly updated_at: string
}

export interface WatchPage {
  readonly data: readonly Watch[]
  readonly meta: { readonly current_page: number; readonly per_page: number; readonly total: number }
  readonly facets?: Readonly<Record<string, readonly { readonly count: number }[]>> | undefined
}

export interface Webhook {
  readonly id: number
  readonly endpoint_url: string
  readonly events: readonly string[]
}

export interface Calls {
  readonly list: () => Promise<WatchPage>
  /** `spec[dial_color]=Black` */
  readonly filter: () => Promise<WatchPage>
  /** `spec[water_resistance][gte]=100 m` and `spec[case_diameter][lt]=42`, the first page of 10 */
  readonly range: () => Promise<WatchPage>
  /** `spec[dial_color][]=Black` and `Blue` */
  readonly values: () => Promise<WatchPage>
  /** `retail_price_usd[gte]=5000`, `retail_price_usd[lt]=10000`, the most expensive first */
  readonly prices: () => Promise<WatchPage>
  /** `ids=1,2,3` */
  readonly ids: () => Promise<WatchPage>
  /** `fields=id,specs.dial_color`: the result is given the type of such a list, whose fields are optional */
  readonly fields: () => Promise<{ readonly data: readonly Partial<Watch>[] }>
  /** `facets=dial_color,brand` of the brand Omega, with `explain` */
  readonly facets: () => Promise<WatchPage>
  /** `types=watch.created,brand.created`, the first 20 */
  readonly changes: () => Promise<{ readonly data: readonly { readonly sequence: number }[] }>
  /** The text `Rolex 116610LV` */
  readonly resolve: () => Promise<{ readonly data: readonly object[] }>
  /** The body as text. */
  readonly exported: () => Promise<string>
  /** The error of `page=0`, as its type describes it. */
  readonly refusal: () => Promise<{
    readonly message: string
    readonly errors: Readonly<Record<string, readonly string[]>>
  }>
  readonly webhooks: WebhookCalls
}

export interface WebhookCalls {
  /** For `watch.created`, with this `Idempotency-Key`. */
  readonly create: (
    endpoint_url: string,
    key: string,
  ) => Promise<{ readonly data: Webhook & { readonly secret: string } }>
  readonly list: () => Promise<{ readonly data: readonly Webhook[] }>
  readonly get: (id: number) => Promise<{ readonly data: Webhook }>
  readonly pause: (id: number) => Promise<{ readonly data: Webhook & { readonly status: string } }>
  readonly test: (id: number) => Promise<{ readonly data: { readonly event: { readonly type: string } } }>
  readonly rotateSecret: (id: number) => Promise<{ readonly data: { readonly secret: string } }>
  /** The status of the response. */
  readonly delete: (id: number) => Promise<number>
}

/** What a caller file exports. */
export type Connect = (baseUrl: string, key: string) => Calls
