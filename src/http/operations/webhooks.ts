// Answers /webhooks: lists, creates, changes and deletes the caller's webhooks. URLs are resolved before a transaction
// begins. Another account's webhook is 404, like one that does not exist.
import { plans } from '../../access/plans/plans.ts'
import { Problem } from '../../errors.ts'
import { parseFilter } from '../../search/matcher/watch-matcher.ts'
import { readQuery } from '../../search/results/read-query.ts'
import { warmUpKeys } from '../../search/results/warm-up.ts'
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
import { fieldsOf } from '../queries/json-body.ts'
import type { Headers } from '../responses/prepared.ts'
import { queryHints } from '../responses/query-hints.ts'
import type { ApiParts, Call, Outcome, WebhookParts } from './call.ts'
import { respondOnce } from './idempotency.ts'
import { nameOf } from './webhook-name.ts'

type Parts = Pick<ApiParts, 'webhooks'>
/** The dashboard has no index: it shows the matches of a filter itself. */
type HintParts = Parts & Partial<Pick<ApiParts, 'index'>>

export async function listWebhooks({ caller }: Call, { webhooks }: Parts): Promise<Outcome> {
  return ok(await listEndpoints(webhooks.database.reader, caller.accountId))
}

export async function getWebhook(call: Call, { webhooks }: Parts): Promise<Outcome> {
  return ok(await getEndpoint(webhooks.database.reader, nameOf(call)))
}

export function createWebhook(call: Call, { webhooks, index }: HintParts): Promise<Outcome> {
  const { clock, sealer, webhooksUrl } = webhooks
  const { accountId, plan } = call.caller
  return respondOnce(call, webhooks, webhooksChannel, async () => {
    const draft = await parseDraft(fieldsOf(call, 'endpoint_url'), fieldRules(webhooks))
    const max = plans[plan].webhooksMax
    const hints = await hintsOf(draft.filter, index, accountId)
    return async (tx) => {
      const made = await createEndpoint(tx, clock, sealer, { accountId, draft, max })
      const location = `${webhooksUrl}/${made.id}`
      return { status: 201, headers: { location, ...hints }, body: { data: made } }
    }
  })
}

/** A filter that no watch of the catalogue matches may be right, or mistyped: then no event ever comes. */
async function hintsOf(
  filter: string | null | undefined,
  index: ApiParts['index'] | undefined,
  accountId: string,
): Promise<Headers> {
  if (filter === null || filter === undefined || index === undefined) return {}
  await warmUpKeys(index(), accountId)
  const current = index()
  // The words of a filter are literal: see the matcher.
  const query = { ...readQuery(current, filter.replace(/^\?/, '')), text: undefined }
  return queryHints(current, query, 0)
}

/** Reports field errors whether or not the webhook exists. */
export async function changeWebhook(call: Call, { webhooks, index }: HintParts): Promise<Outcome> {
  const { database, clock } = webhooks
  const name = nameOf(call)
  const row = await findEndpointRow(database.reader, name)
  const current = row && toEndpoint(row)
  const changes = await parseChanges(fieldsOf(call), fieldRules(webhooks), current)
  const announce = webhooksChannel
  const changed = await database.write((tx) => changeEndpoint(tx, clock, name, changes), { announce })
  return { ...ok(changed), headers: await hintsOf(changes.filter, index, call.caller.accountId) }
}

export async function deleteWebhook(call: Call, { webhooks }: Parts): Promise<Outcome> {
  await deleteEndpoint(webhooks.database, nameOf(call))
  return { status: 204 }
}

export function rotateWebhookSecret(call: Call, { webhooks }: Parts): Promise<Outcome> {
  const { clock, sealer } = webhooks
  return respondOnce(call, webhooks, webhooksChannel, () => async (tx) => {
    return ok(await rotateSecret(tx, clock, sealer, nameOf(call)))
  })
}

function ok(data: object): Outcome {
  return { status: 200, body: { data } }
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
