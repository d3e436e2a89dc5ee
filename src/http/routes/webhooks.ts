// Serves /webhooks: lists, creates, changes and deletes the caller's webhooks. URLs are resolved before a transaction
// begins. Another account's webhook is 404, like one that does not exist.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import { plans } from '../../access/plans/plans.ts'
import { Problem } from '../../errors.ts'
import { parseFilter } from '../../search/matcher/watch-matcher.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import { deleteEndpoint } from '../../webhooks/endpoints/delete-endpoint.ts'
import { type FieldRules, parseChanges, parseDraft } from '../../webhooks/endpoints/endpoint-fields.ts'
import {
  changeEndpoint,
  createEndpoint,
  findEndpointRow,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  toEndpoint,
} from '../../webhooks/endpoints/endpoints.ts'
import { checkEndpointUrl } from '../../webhooks/outbound/endpoint-url.ts'
import { webhooksChannel } from '../../webhooks/wake.ts'
import { respondOnce } from '../api/idempotency.ts'
import { fieldsOf } from '../api/json-body.ts'
import { accountOf, nameOf, noStore, type WebhookParts, type WebhookRoute } from '../api/webhook-context.ts'

export function webhookRoutes(api: FastifyInstance, parts: WebhookParts): void {
  const { database, clock, sealer } = parts
  const { reader } = database
  api.get('/webhooks', noStore, async (request) => ({
    data: await listEndpoints(reader, accountOf(request)),
  }))
  api.post('/webhooks', noStore, (request, reply) => create(request, reply, parts))
  api.get<WebhookRoute>('/webhooks/:id', noStore, async (request) => ({
    data: await getEndpoint(reader, nameOf(request)),
  }))
  api.patch<WebhookRoute>('/webhooks/:id', noStore, async (request) => ({
    data: await change(request, parts),
  }))
  api.delete<WebhookRoute>('/webhooks/:id', noStore, async (request, reply) => {
    await deleteEndpoint(database, nameOf(request))
    return reply.code(204).send()
  })
  api.post<WebhookRoute>('/webhooks/:id/rotate-secret', noStore, (request, reply) =>
    respondOnce(request, reply, parts, webhooksChannel, () => async (tx) => {
      return { status: 200, body: { data: await rotateSecret(tx, clock, sealer, nameOf(request)) } }
    }),
  )
}

function create(request: FastifyRequest, reply: FastifyReply, parts: WebhookParts): Promise<FastifyReply> {
  const { clock, sealer, webhooksUrl } = parts
  const { accountId, plan } = request.caller as Caller
  return respondOnce(request, reply, parts, webhooksChannel, async () => {
    const draft = await parseDraft(fieldsOf(request, 'endpoint_url'), fieldRules(parts))
    const max = plans[plan].webhooksMax
    return async (tx) => {
      const made = await createEndpoint(tx, clock, sealer, { accountId, draft, max })
      const location = `${webhooksUrl}/${made.id}`
      return { status: 201, headers: { location }, body: { data: made } }
    }
  })
}

/** Reports field errors whether or not the webhook exists. */
async function change(request: FastifyRequest<WebhookRoute>, parts: WebhookParts) {
  const { database, clock } = parts
  const name = nameOf(request)
  const row = await findEndpointRow(database.reader, name)
  const current = row && toEndpoint(row)
  const changes = await parseChanges(fieldsOf(request), fieldRules(parts), current)
  return database.write((tx) => changeEndpoint(tx, clock, name, changes), { announce: webhooksChannel })
}

function fieldRules({ rules, vocabulary }: WebhookParts): FieldRules {
  return {
    checkUrl: (raw) => checkEndpointUrl(raw, rules),
    checkFilter: (raw) => filterFaults(raw, vocabulary),
  }
}

function filterFaults(raw: string, vocabulary: Vocabulary): readonly string[] {
  try {
    parseFilter(raw, vocabulary)
    return []
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid') {
      return Object.values(error.details.errors ?? {}).flat()
    }
    throw error
  }
}
