// Serves /api/account/webhooks: the routes of /api/v1/webhooks for the signed-in user, free of charge, and the check
// of a URL before it is saved.
import type { FastifyInstance } from 'fastify'
import type { UrlCheck } from '../../../../web/account-api.ts'
import { hasGrant } from '../../../access/plans/plans.ts'
import type { Clock } from '../../../clock.ts'
import { Problem } from '../../../errors.ts'
import type { OpenAttemptCounts } from '../../../storage/attempts/attempt-counts.ts'
import type { Database } from '../../../storage/database.ts'
import { checkEndpointUrl } from '../../../webhooks/outbound/endpoint-url.ts'
import type { ApiParts, Call, Outcome, WebhookParts } from '../../operations/call.ts'
import { type Operation, webhookOperations } from '../../operations/operations.ts'

import { watchMethods } from '../../pages/methods.ts'
import { textOf, who } from '../../pages/signed-in.ts'
import { limitWebhookCalls } from '../../pages/webhook-rate-limit.ts'
import { fieldsOf } from '../../queries/json-body.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'

export interface AccountWebhookParts {
  readonly database: Database
  readonly clock: Clock
  /** Where the calls of a user are counted. */
  readonly attempts: OpenAttemptCounts
  readonly baseUrl: string
  readonly webhooks: Pick<WebhookParts, 'rules' | 'sealer' | 'vocabulary'>
}

/** Serves an operation of the API for the signed-in user. The operations of webhooks need no other part. */
function addOperation(
  scope: FastifyInstance,
  { method, path, headers = {}, handle }: Operation,
  parts: ApiParts,
): void {
  scope.route({
    method,
    url: path,
    handler: async (request, reply) => {
      reply.headers(headers)
      const { accountId, plan } = who(request)
      const { raw, id, params, body } = request
      const outcome = (await handle(
        {
          request: raw,
          response: reply.raw,
          requestId: id,
          caller: { accountId, plan, keyId: noKey, isTest: false },
          parameters: params as Call['parameters'],
          rawQuery: rawQueryOf(request),
          body,
        },
        parts,
      )) as Outcome
      return reply
        .code(outcome.status)
        .headers(outcome.headers ?? {})
        .send(outcome.body)
    },
  })
}

/** The request has a session, not an API key. */
const noKey = ''

export function accountWebhookRoutes(scope: FastifyInstance, parts: AccountWebhookParts): void {
  const { database, clock, baseUrl, webhooks, attempts } = parts
  scope.addHook('onRequest', async (request) => {
    if (!hasGrant(who(request).plan, 'webhooks')) throw new Problem('plan_excludes')
  })
  limitWebhookCalls(scope, clock, attempts)
  const refuseOtherMethods = watchMethods(scope)
  const all = { database, clock, webhooksUrl: `${baseUrl}/api/account/webhooks`, ...webhooks }
  for (const operation of webhookOperations) addOperation(scope, operation, { webhooks: all } as ApiParts)
  scope.post('/webhooks/check', async (request) => {
    const raw = textOf(fieldsOf(request, 'endpoint_url').endpoint_url).trim()
    const errors = { endpoint_url: ['The endpoint url field is required.'] }
    if (raw === '') throw new Problem('invalid', { errors })
    const data: UrlCheck = { problems: await checkEndpointUrl(raw, webhooks.rules) }
    return { data }
  })
  refuseOtherMethods()
}
