// In charge of what every request shares that is not for /api/v1: headers that keep browsers strict, and a word in the log
// where a proxy hides who visits. The API, whose callers are no browsers, is spared the work.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import { isApiAddress } from '../responses/rate-limit-headers.ts'

export interface OutsideParts {
  readonly config: Pick<Config, 'trustProxy'>
  readonly log: Pick<Log, 'warn'>
  readonly baseUrl: string
}

const yearSeconds = 31_536_000

/** To be called with every request before its route is. */
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
