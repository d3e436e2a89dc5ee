// In charge of the announcement that v1 will end: three headers of every answer under /api/v1, from the day on which the
// operator sets a date. Without one there is nothing of it, on no way of a request.
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

export interface Deprecation {
  /** `Deprecation` and, where its day is known, `Sunset`. */
  readonly headers: Readonly<Record<string, string>>
  readonly link: string
}

const secondMs = 1_000

/** Undefined as long as v1 is not deprecated. */
export function findDeprecation(
  { v1DeprecatedAt: since, v1SunsetAt: sunset }: Pick<Config, 'v1DeprecatedAt' | 'v1SunsetAt'>,
  baseUrl: string,
): Deprecation | undefined {
  if (since === undefined) return undefined
  return {
    headers: {
      deprecation: `@${Math.floor(since.getTime() / secondMs)}`,
      ...(sunset !== undefined && { sunset: sunset.toUTCString() }),
    },
    link: `<${baseUrl}/docs/versioning>; rel="deprecation"; type="text/html"`,
  }
}

/** All answers of these routes, errors and preflights too. To be called before their other hooks. */
export function markDeprecated(api: FastifyInstance, deprecation: Deprecation | undefined): void {
  if (deprecation === undefined) return
  const { headers, link } = deprecation
  api.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ ...headers, link })
    done()
  })
  api.addHook('onSend', (_request, reply, _payload, done) => {
    // A list has put the addresses of its pages in its place.
    const said = reply.getHeader('link')
    if (said !== link) reply.header('link', withDeprecation(deprecation, { link: String(said) }).link)
    done()
  })
}

/** The headers of one answer, with the announcement beside the other links. */
export function withDeprecation(
  deprecation: Deprecation | undefined,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (deprecation === undefined) return headers
  const links = headers.link === undefined ? [] : [headers.link]
  return { ...headers, link: [...links, deprecation.link].join(', ') }
}
