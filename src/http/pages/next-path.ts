// Validates the `next` path, to which a visitor is redirected after sign-in: always a page of this service. Only
// pages without side effects are allowed, so that a link cannot make its visitor perform an action.

/** Long enough for the URL of an explorer page with many filters. */
const nextMaxLength = 2_048
const places = ['/dashboard', '/docs', '/explore', '/status'] as const
/** A placeholder origin: only used to check that the URL stays within it. */
const here = 'http://next.invalid'

/** The path, query and fragment as a browser would read them; undefined for anything that is not one of our pages. */
export function parseNext(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text.length > nextMaxLength) return undefined
  // Browsers drop tabs and line breaks, and read a backslash as a slash.
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text) || !URL.canParse(text, here)) return undefined
  const { origin, pathname, search, hash } = new URL(text, here)
  if (origin !== here) return undefined
  // Checked after dot segments are resolved.
  const isPlace = places.some((place) => pathname === place || pathname.startsWith(`${place}/`))
  return isPlace || pathname === '/' ? pathname + search + hash : undefined
}
