// In charge of validators: the ETag of an answer in each encoding, and whether the caller already holds it.
import type { Encoding } from './compress.ts'

/**
 * A strong ETag promises the same bytes, and each encoding has its own: under one ETag, a cache could join
 * a part of the gzip body to a part of the plain one, or hand either to whoever asked for the other.
 */
export function encodedEtag(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`
}

/**
 * The ETag under which the caller holds what we would send, for the 304 to name. Besides that of the encoding
 * chosen it may be the plain one: everybody can read it, and small bodies are sent plain to all.
 */
export function findFreshEtag(
  ifNoneMatch: string | undefined,
  etag: string,
  encoding: Encoding,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const encoded = encodedEtag(etag, encoding)
  if (matches(ifNoneMatch, encoded)) return encoded
  return encoding !== 'identity' && matches(ifNoneMatch, etag) ? etag : undefined
}

/** `If-None-Match` by RFC 9110: a list, compared weakly. A list with anything else in it matches nothing. */
export function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === etag || ifNoneMatch === '*' || isInList(ifNoneMatch, etag)
}

/** One pass, whatever is sent: its length is limited by that of the headers. */
function isInList(list: string, etag: string): boolean {
  let isFound = false
  let position = skip(list, 0, ' \t,')
  while (position < list.length) {
    const start = list.startsWith('W/', position) ? position + 2 : position
    const end = list[start] === '"' ? list.indexOf('"', start + 1) : -1
    if (end === -1) return false
    if (list.startsWith(etag, start)) isFound = true
    position = skip(list, end + 1, ' \t')
    if (position < list.length && list[position] !== ',') return false
    position = skip(list, position, ' \t,')
  }
  return isFound
}

function skip(text: string, from: number, characters: string): number {
  let position = from
  while (position < text.length && characters.includes(text[position] as string)) position++
  return position
}
