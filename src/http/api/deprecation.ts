// Announces the end of v1: the Deprecation, Sunset and Link headers of every response under /api/v1 once the operator
// configures a deprecation date. Without a date there is no such header.
import type { Config } from '../../config.ts'
import type { Headers } from '../responses/prepared.ts'

const secondMs = 1_000

/** The `Link` is a header line of its own: a list has another, with the links of its pages. */
export function deprecationHeaders(
  { v1DeprecatedAt: since, v1SunsetAt: sunset }: Pick<Config, 'v1DeprecatedAt' | 'v1SunsetAt'>,
  baseUrl: string,
): Headers {
  if (since === undefined) return {}
  return {
    deprecation: `@${Math.floor(since.getTime() / secondMs)}`,
    ...(sunset !== undefined && { sunset: sunset.toUTCString() }),
    link: `<${baseUrl}/docs/versioning>; rel="deprecation"; type="text/html"`,
  }
}
