// Extracts the raw query string of a request. The parsers in search/ read it by their own strict grammar.
import type { FastifyRequest } from 'fastify'

/** The text after the `?`, without a fragment. */
export function rawQueryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end)
}
