// What the routes of webhooks work with, and how they know which webhook is meant.
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
  /** Where the webhooks are that are spoken of, without a slash at the end. */
  readonly webhooksUrl: string
}

export type WebhookRoute = { Params: { id: string } }

const ids = /^[1-9]\d{0,15}$/

/** For routes whose answers may hold a secret, and say how things stand at the moment. */
export const unkept = {
  onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    reply.header('cache-control', 'private, no-store')
    done()
  },
}

/** Which webhook the path names, and who asks for it. */
export function nameOf(request: FastifyRequest<WebhookRoute>): EndpointName {
  return { accountId: accountOf(request), id: parseId(request.params.id) }
}

export function accountOf({ caller }: Pick<FastifyRequest, 'caller'>): string {
  return (caller as Caller).accountId
}

export function parseId(written: string): number {
  if (!ids.test(written)) throw new Problem('not_found')
  return Number(written)
}
