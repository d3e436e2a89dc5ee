// Limits the page views that search the catalogue: per IP address and second or minute, to protect the machine, and
// per visitor and UTC day, so that copying the catalogue from the pages costs what it costs from the API. An IPv6
// network counts as one address. A view does not wait for the database: several processes together may admit as many
// more as they serve in one second, and each limits the views per second for itself.
import type { FastifyRequest } from 'fastify'
import { Attempts, addressSubject, utcDay } from '../../access/plans/attempt-limits.ts'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import type { SignedIn } from '../../access/sign-in/sessions.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { OpenAttemptCounts } from '../../storage/attempts/attempt-counts.ts'
import { tooMany } from '../api/problems.ts'
import { findVisitor, type PageParts } from './page.ts'

const viewsPerSecondMax = 8
export const viewsPerMinuteMax = 300
/**
 * Views per UTC day of an address without an account, and of an account by its plan. 200 views of 24 watches are fewer
 * watches than the 50 requests of a Free key return; with more, a Free account would be a cheap way around the quota.
 */
export const viewsPerDayMax = { none: 200, free: 200, pro: 500, platinum: 500 } as const

/** Suggestions name up to three references each: these are about as many watches as the views of a day show. */
const suggestionsPerDayMax = 2_000

export class PageGuard {
  /** Whether views are counted by the day. */
  readonly isDaily: boolean
  readonly #isOff: boolean
  readonly #seconds: BurstGuard
  readonly #minutes: Attempts
  readonly #days: Attempts
  readonly #suggestions: Attempts

  /** One setting turns off both this and the burst limit of accounts, for benchmarks and tests. */
  constructor(
    { burstLimit, explorer }: Pick<Config, 'burstLimit' | 'explorer'>,
    clock: Clock,
    open: OpenAttemptCounts,
  ) {
    this.#isOff = burstLimit === 0
    this.isDaily = !this.#isOff && explorer === 'limited'
    this.#seconds = new BurstGuard(viewsPerSecondMax, clock)
    this.#minutes = new Attempts(open('view in a minute'), clock)
    this.#days = new Attempts(open('view in a day'), clock, utcDay)
    this.#suggestions = new Attempts(open('suggestion in a day'), clock, utcDay)
  }

  /** Counts a view. Throws a Problem with Retry-After where there were too many. */
  admit(address: string): void {
    if (this.#isOff) return
    const subject = addressSubject(address)
    if (!this.#seconds.admits(subject)) throw tooMany(1)
    this.#minutes.admitLocally(subject, viewsPerMinuteMax)
  }

  /** Counts a request for suggestions, which is no view of the day: there are several while one types. */
  admitSuggestion(address: string): void {
    this.admit(address)
    if (this.isDaily) this.#suggestions.admitLocally(addressSubject(address), suggestionsPerDayMax)
  }

  /** Counts a view of this day: by account for a signed-in visitor, otherwise by address. */
  admitToday(address: string, visitor: Pick<SignedIn, 'accountId' | 'plan'> | undefined): void {
    if (!this.isDaily) return
    if (visitor === undefined) this.#days.admitLocally(addressSubject(address), viewsPerDayMax.none)
    else this.#days.admitLocally(visitor.accountId, viewsPerDayMax[visitor.plan])
  }
}

/** Counts the request as a view. The session is looked up only once the address is within its limits. */
export async function admitView(views: PageGuard, request: FastifyRequest, pages: PageParts): Promise<void> {
  views.admit(request.ip)
  if (views.isDaily) views.admitToday(request.ip, await findVisitor(request, pages))
}
