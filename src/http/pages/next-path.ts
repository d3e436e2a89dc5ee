// In charge of where somebody goes on to after signing in: a page of ours, whatever the address said. Only places that
// merely show something are let through, so that no link can have anything done by whoever follows it.

/** As long as the address of an explorer page with many filters. */
const nextMaxLength = 2_048
const places = ['/dashboard', '/docs', '/explore', '/status'] as const
/** Nobody's: only whether an address stays within it is looked at. */
const here = 'http://next.invalid'

/** The path, query and fragment as a browser would read them; undefined for anything that is not one of our pages. */
export function parseNext(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > nextMaxLength) return undefined
  // Browsers drop tabs and line ends, and take a backslash for a slash.
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, here)) return undefined
  const { origin, pathname, search, hash } = new URL(text, here)
  if (origin !== here) return undefined
  // Of the path after its dots are resolved.
  const isPlace = places.some((place) => pathname === place || pathname.startsWith(`${place}/`))
  return isPlace || pathname === '/' ? pathname + search + hash : undefined
}
