// In charge of how often somebody who has signed in, and pays nothing for it, may have events sent or an address looked
// up: the service must not be what floods others. Each process counts for itself.
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

  /** `prefix` is what the addresses of all those routes begin with. */
  constructor(prefix: string, clock: Clock) {
    this.#prefix = prefix
    this.#attempts = new Attempts(clock)
  }

  /** Counts a request that makes others work; a Problem that says how long to wait where there were too many. */
  admit(request: FastifyRequest): void {
    const { url = '' } = request.routeOptions
    const route = `${request.method} ${url.slice(this.#prefix.length)}`
    const { accountId } = who(request)
    if (sends.has(route)) this.#attempts.admit(`send ${accountId}`, sendsPerMinuteMax)
    if (lookUps.has(route)) this.#attempts.admit(`look up ${accountId}`, lookUpsPerMinuteMax)
  }
}
