// Sets the security headers of every response outside /api/v1, and logs a warning where a proxy hides the visitors'
// addresses. The API skips this work, because its callers are not browsers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import { isApiAddress } from '../connection/api-address.ts'

export interface OutsideParts {
  readonly config: Pick<Config, 'trustProxy'>
  readonly log: Pick<Log, 'warn'>
  readonly baseUrl: string
}

const yearSeconds = 31_536_000

/** Returns the function to call for every request before its route. */
export function receiveOutsideApi(
  parts: OutsideParts,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { config, log, baseUrl } = parts
  const headers = {
    'x-content-type-options': 'nosniff',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': `max-age=${yearSeconds}` }),
  }
  let mayWarn = config.trustProxy === undefined
  return (request, reply) => {
    if (isApiAddress(request.url)) return
    reply.headers(headers)
    if (!mayWarn || request.headers['x-forwarded-for'] === undefined) return
    mayWarn = false
    log.warn(
      { ip: request.ip },
      'A request came with X-Forwarded-For, and TRUST_PROXY is not set. Behind a proxy all visitors then count as one: set TRUST_PROXY to the addresses of the proxy.',
    )
  }
}
