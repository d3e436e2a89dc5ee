// Announces the end of v1: sets the Deprecation, Sunset and Link headers on every response under /api/v1 once the
// operator configures a deprecation date. Without a date no header is set, on the fast path or elsewhere.
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

export type Deprecation = NonNullable<ReturnType<typeof findDeprecation>>

const secondMs = 1_000

/** Undefined while v1 is not deprecated. */
export function findDeprecation(
  { v1DeprecatedAt: since, v1SunsetAt: sunset }: Pick<Config, 'v1DeprecatedAt' | 'v1SunsetAt'>,
  baseUrl: string,
) {
  if (since === undefined) return undefined
  return {
    headers: {
      deprecation: `@${Math.floor(since.getTime() / secondMs)}`,
      ...(sunset !== undefined && { sunset: sunset.toUTCString() }),
    },
    /** The value for the `Link` header. */
    link: `<${baseUrl}/docs/versioning>; rel="deprecation"; type="text/html"`,
  }
}

/** Marks all responses of these routes, errors and preflights included. Call it before adding other hooks. */
export function markDeprecated(api: FastifyInstance, deprecation: Deprecation | undefined): void {
  if (deprecation === undefined) return
  const { headers, link } = deprecation
  api.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ ...headers, link })
    done()
  })
  api.addHook('onSend', (_request, reply, _payload, done) => {
    // A list has replaced the Link header with its page links: append ours to them.
    const said = reply.getHeader('link')
    if (said !== link) reply.header('link', withDeprecation(deprecation, { link: String(said) }).link)
    done()
  })
}

/** The headers of a response, with the deprecation link appended to `link`. */
export function withDeprecation(
  deprecation: Deprecation | undefined,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (deprecation === undefined) return headers
  const links = headers.link === undefined ? [] : [headers.link]
  return { ...headers, link: [...links, deprecation.link].join(', ') }
}
