// Limits how often a signed-in user, whose requests here are not charged, may have events sent or a webhook URL
// resolved: the service must not be used to flood others. Each process counts for itself.
import type { FastifyRequest } from 'fastify'
import { Attempts } from '../../access/plans/attempt-limits.ts'
import type { Clock } from '../../clock.ts'
import { who } from './signed-in.ts'

const sendsPerMinuteMax = 10
const lookUpsPerMinuteMax = 30

const sends = new Set([
  'POST /webhooks/:id/test',
  'POST /webhooks/:id/redeliver',
  'POST /webhooks/:id/deliveries/:delivery/redeliver',
])
const lookUps = new Set(['POST /webhooks', 'PATCH /webhooks/:id', 'POST /webhooks/check'])

export class WebhookGuard {
  readonly #prefix: string
  readonly #attempts: Attempts

  /** The common prefix of the paths of these routes. */
  constructor(prefix: string, clock: Clock) {
    this.#prefix = prefix
    this.#attempts = new Attempts(clock)
  }

  /**
   * Counts a request that makes the service contact others. Throws a Problem with Retry-After where there were too
   * many.
   */
  admit(request: FastifyRequest): void {
    const { url = '' } = request.routeOptions
    const route = `${request.method} ${url.slice(this.#prefix.length)}`
    const { accountId } = who(request)
    if (sends.has(route)) this.#attempts.admit(`send ${accountId}`, sendsPerMinuteMax)
    if (lookUps.has(route)) this.#attempts.admit(`look up ${accountId}`, lookUpsPerMinuteMax)
  }
}
