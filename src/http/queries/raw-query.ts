// In charge of the query string as it was written: search/ reads it by its own grammar, which is closed and strict.
import type { FastifyRequest } from 'fastify'

/** What stands behind the `?`. */
export function writtenQuery({ raw }: FastifyRequest): string {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end)
}
