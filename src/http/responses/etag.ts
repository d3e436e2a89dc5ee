// Builds the ETags of the catalogue: from what a response depends on, before the response is made; only where that is
// not possible, from its bytes. All processes that serve the same catalogue build the same ETags.
import { hash } from 'node:crypto'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { version } from '../../version.ts'

/**
 * The ETag of a response that any change of the catalogue can change. `name` identifies it among all responses of
 * that version.
 */
export function catalogueEtag(index: WatchIndex, name: string): string {
  return `"${catalogueVersion(index)}-${nameDigest(name)}"`
}

/** The ETag of one watch: depends on its own last change and on the name of its brand, which it contains. */
export function watchEtag(index: WatchIndex, ordinal: number): string {
  const { columns, brands, head } = index
  const brand = brands.find(columns.brandId(ordinal))
  const id = columns.id(ordinal)
  return `"${digest(`${version} ${head.epoch} ${id} ${columns.updatedAt(ordinal)} ${brand?.name}`)}"`
}

/** The ETag of a response whose body must be made first. */
export function bodyEtag(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** By the head of the index, which every change replaces. */
const versions = new WeakMap<WatchIndex['head'], string>()

/** Depends on all inputs of a response: the release of this code, the catalogue and the vocabulary. */
function catalogueVersion(index: WatchIndex): string {
  const known = versions.get(index.head)
  if (known !== undefined) return known
  const text = digest(`${version} ${index.version} ${index.vocabulary.digest}`).slice(0, 12)
  versions.set(index.head, text)
  return text
}

function digest(text: string): string {
  return hash('sha1', text, 'base64url')
}

/**
 * 64 bits, in a fraction of the time of a cryptographic hash: names must not collide by chance, and whoever looks for a
 * collision only misleads their own client. Two hashes, each mixed with the other at the end (cyrb53, by bryc).
 */
function nameDigest(name: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    one = Math.imul(one ^ unit, 0x9e3779b1)
    other = Math.imul(other ^ unit, 0x5f356495)
  }
  const first = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  const second = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (first >>> 0).toString(36) + (second >>> 0).toString(36).padStart(7, '0')
}
