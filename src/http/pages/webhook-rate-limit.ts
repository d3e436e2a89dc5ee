// Limits how often a signed-in user, whose requests here are not charged, may have events sent or a webhook URL
// resolved: the service must not be used to flood others.
import type { FastifyInstance } from 'fastify'
import { Attempts } from '../../access/plans/attempt-limits.ts'
import type { Clock } from '../../clock.ts'
import type { OpenAttemptCounts } from '../../storage/attempts/attempt-counts.ts'
import { who } from './signed-in.ts'

const sendsPerMinuteMax = 10
const lookUpsPerMinuteMax = 30

const sends = new Set([
  'POST /webhooks/:id/test',
  'POST /webhooks/:id/redeliver',
  'POST /webhooks/:id/deliveries/:delivery/redeliver',
])
const lookUps = new Set(['POST /webhooks', 'PATCH /webhooks/:id', 'POST /webhooks/check'])

/** Refuses, with 429 and Retry-After, requests of this scope that make the service contact others too often. */
export function limitWebhookCalls(scope: FastifyInstance, clock: Clock, open: OpenAttemptCounts): void {
  const attempts = new Attempts(open('webhook'), clock)
  // Counted after the body is parsed: a malformed body causes no outgoing traffic.
  scope.addHook('preHandler', async (request) => {
    const { url = '' } = request.routeOptions
    const route = `${request.method} ${url.slice(scope.prefix.length)}`
    const { accountId } = who(request)
    if (sends.has(route)) await attempts.admit(`send ${accountId}`, sendsPerMinuteMax)
    if (lookUps.has(route)) await attempts.admit(`look up ${accountId}`, lookUpsPerMinuteMax)
  })
}
