// Reads the ids in the path of a webhook operation.
import { Problem } from '../../errors.ts'
import type { EndpointName } from '../../webhooks/endpoints/endpoints.ts'
import type { Call } from './call.ts'
import { readId } from './path-id.ts'

/** The webhook named by the path, and the caller's account. */
export function nameOf({ caller, parameters }: Call): EndpointName {
  return { accountId: caller.accountId, id: parseId(parameters.id) }
}

export function parseId(written: string | undefined): number {
  const id = readId(written)
  if (id === undefined) throw new Problem('not_found')
  return id
}
