// Reads request headers from `rawHeaders`. Node's parsed `headers` silently keeps only the first of two single-value
// headers, and building that object for all headers costs time that a short request need not spend.
import type { IncomingMessage } from 'node:http'

/** The first value of the header, if any. `name` must be in lower case. */
export function findHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (isNamed(rawHeaders[at] as string, name)) return rawHeaders[at + 1]
  }
  return undefined
}

/** All values of the header, joined as the members of one list. */
export function joinHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let joined: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (!isNamed(rawHeaders[at] as string, name)) continue
    joined = joined === undefined ? rawHeaders[at + 1] : `${joined}, ${rawHeaders[at + 1]}`
  }
  return joined
}

export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isNamed(rawHeaders[at] as string, name)) count++
  return count
}

/** Whether the name of a header, as it was sent, is `name`, which must be in lower case. */
export function isNamed(sent: string, name: string): boolean {
  if (sent.length !== name.length) return false
  // The first letters differ in most names of the same length: cheaper to see than to convert the whole name.
  if ((sent.charCodeAt(0) | upperToLower) !== name.charCodeAt(0)) return false
  return sent === name || sent.toLowerCase() === name
}

/** The bit in which a capital letter differs from its small one. */
const upperToLower = 0x20
