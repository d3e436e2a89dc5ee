// Splits the URL of a request into its path and its raw query. The parsers in search/ read the query by their own
// strict grammar.
import type { IncomingMessage } from 'node:http'

/** The path, and the text after the `?`, both without a fragment. */
export function splitUrl(url: string): { path: string; rawQuery: string } {
  const end = endOf(url, '#')
  const pathEnd = Math.min(endOf(url, '?'), end)
  return { path: url.slice(0, pathEnd), rawQuery: url.slice(pathEnd + 1, end) }
}

export function rawQueryOf({ raw }: { readonly raw: IncomingMessage }): string {
  return splitUrl(raw.url ?? '').rawQuery
}

function endOf(url: string, mark: string): number {
  const at = url.indexOf(mark)
  return at === -1 ? url.length : at
}
