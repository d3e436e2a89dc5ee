// Derives the ETag of a response in each encoding, and checks whether If-None-Match already has it.
import type { Encoding } from './encoding.ts'

/** A body is compressed quickly at first, and to fewer bytes later. */
export type Quality = 'quick' | 'best'

/**
 * A strong ETag promises identical bytes, so each encoding has its own, in each quality. With one ETag for all, a cache
 * could combine a part of the gzip body with a part of the plain one, or serve either to a caller that accepts only the
 * other.
 */
export function encodedEtag(etag: string, encoding: Encoding, quality: Quality): string {
  if (encoding === 'identity') return etag
  return `${etag.slice(0, -1)}-${encoding}${quality === 'best' ? '-2' : ''}"`
}

/**
 * The ETag, for the 304, under which the caller's copy is fresh. Besides those of the chosen encoding it may be the
 * plain one: every client can read it, and small bodies are sent plain to all.
 */
export function findFreshEtag(
  ifNoneMatch: string | undefined,
  etag: string,
  encoding: Encoding,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (encoding === 'identity') return matches(ifNoneMatch, etag) ? etag : undefined
  const all = [encodedEtag(etag, encoding, 'quick'), encodedEtag(etag, encoding, 'best'), etag]
  return all.find((one) => matches(ifNoneMatch, one))
}

/** Compares If-None-Match as RFC 9110 says: a list, weak comparison. A malformed list matches nothing. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch === etag || ifNoneMatch === '*' || isInList(ifNoneMatch, etag)
}

/** One member of the list, with the separators before it. Sticky, so that nothing between members is skipped. */
const member = /[ \t,]*(?:W\/)?("[^"]*")[ \t]*(?=,|$)/gy

/** Linear time for any input; the length of the list is limited by that of the headers. */
function isInList(list: string, etag: string): boolean {
  let isFound = false
  let end = 0
  for (const [text, tag] of list.matchAll(member)) {
    if (tag === etag) isFound = true
    end += text.length
  }
  return isFound && /^[ \t,]*$/.test(list.slice(end))
}
