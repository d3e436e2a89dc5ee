// Reads the ids in the path of a webhook operation.
import { Problem } from '../../errors.ts'
import type { EndpointName } from '../../webhooks/endpoints/endpoints.ts'
import type { Call } from './call.ts'

const ids = /^[1-9]\d{0,15}$/

/** The webhook named by the path, and the caller's account. */
export function nameOf({ caller, parameters }: Call): EndpointName {
  return { accountId: caller.accountId, id: parseId(parameters.id) }
}

export function parseId(raw = ''): number {
  if (!ids.test(raw)) throw new Problem('not_found')
  return Number(raw)
}
