// Serves /api/account/webhooks: the routes of /api/v1/webhooks for the signed-in user, free of charge, and the check
// of a URL before it is saved.
import type { FastifyInstance } from 'fastify'
import type { UrlCheck } from '../../../../web/account-api.ts'
import { hasGrant } from '../../../access/plans/plans.ts'
import type { Clock } from '../../../clock.ts'
import { Problem } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import { checkEndpointUrl } from '../../../webhooks/outbound/endpoint-url.ts'
import { fieldsOf } from '../../api/json-body.ts'
import { watchMethods } from '../../api/methods.ts'
import type { WebhookParts } from '../../api/webhook-context.ts'
import { textOf, who } from '../../pages/signed-in.ts'
import { limitWebhookCalls } from '../../pages/webhook-rate-limit.ts'
import { deliveryRoutes } from '../webhook-deliveries.ts'
import { webhookRoutes } from '../webhooks.ts'

export interface AccountWebhookParts {
  readonly database: Database
  readonly clock: Clock
  readonly baseUrl: string
  readonly webhooks: Pick<WebhookParts, 'rules' | 'sealer' | 'vocabulary'>
}

/** The request has a session, not an API key. */
const noKey = ''

export function accountWebhookRoutes(scope: FastifyInstance, parts: AccountWebhookParts): void {
  const { database, clock, baseUrl, webhooks } = parts
  scope.addHook('onRequest', async (request) => {
    const { accountId, plan } = who(request)
    request.caller = { accountId, plan, keyId: noKey }
    if (!hasGrant(plan, 'webhooks')) throw new Problem('plan_excludes')
  })
  limitWebhookCalls(scope, clock)
  const refuseOtherMethods = watchMethods(scope)
  const all = { database, clock, webhooksUrl: `${baseUrl}/api/account/webhooks`, ...webhooks }
  webhookRoutes(scope, all)
  deliveryRoutes(scope, all)
  scope.post('/webhooks/check', async (request) => {
    const raw = textOf(fieldsOf(request, 'endpoint_url').endpoint_url).trim()
    const errors = { endpoint_url: ['The endpoint url field is required.'] }
    if (raw === '') throw new Problem('invalid', { errors })
    const data: UrlCheck = { problems: await checkEndpointUrl(raw, webhooks.rules) }
    return { data }
  })
  refuseOtherMethods()
}
