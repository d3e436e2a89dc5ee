// The dependencies of the webhook routes, and the functions that read account and ids from a request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import { Problem } from '../../errors.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { EndpointName } from '../../webhooks/endpoints/endpoints.ts'
import type { AddressRules } from '../../webhooks/outbound/endpoint-url.ts'
import type { OnceParts } from './idempotency.ts'

export interface WebhookParts extends OnceParts {
  readonly rules: AddressRules
  readonly vocabulary: Vocabulary
  /** The URL of the webhooks collection, without a trailing slash. */
  readonly webhooksUrl: string
}

export type WebhookRoute = { Params: { id: string } }

const ids = /^[1-9]\d{0,15}$/

/** Route options that forbid caching: the responses may contain a secret, and describe the current state. */
export const noStore = {
  onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    reply.header('cache-control', 'private, no-store')
    done()
  },
}

/** The webhook named by the path, and the caller's account. */
export function nameOf(request: FastifyRequest<WebhookRoute>): EndpointName {
  return { accountId: accountOf(request), id: parseId(request.params.id) }
}

export function accountOf({ caller }: Pick<FastifyRequest, 'caller'>): string {
  return (caller as Caller).accountId
}

export function parseId(raw: string): number {
  if (!ids.test(raw)) throw new Problem('not_found')
  return Number(raw)
}
