// In charge of the ETags of the catalogue: made of what an answer depends on, before there is one; only where that
// cannot be told, of its bytes. Every process that serves the same catalogue makes the same.
import { hash } from 'node:crypto'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { version } from '../../version.ts'

/** Of an answer that any change of the catalogue can change; `name` tells it from all others of that moment. */
export function catalogueEtag(index: WatchIndex, name: string): string {
  return `"${catalogueVersion(index)}-${digest(name)}"`
}

/** Of one watch: its own last change, and the name of its brand, which it carries. */
export function watchEtag(index: WatchIndex, ordinal: number): string {
  const { columns, brands, head } = index
  const brand = brands.find(columns.brandId(ordinal))
  const id = columns.id(ordinal)
  return `"${digest(`${release} ${head.epoch} ${id} ${columns.updatedAt(ordinal)} ${brand?.name}`)}"`
}

/** Of an answer that has to be made to be named. */
export function bodyEtag(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** What else an answer depends on: this code, and what it takes words to mean. */
const release = version
const versions = new WeakMap<WatchIndex, { readonly of: string; readonly text: string }>()

function catalogueVersion(index: WatchIndex): string {
  const of = index.version
  const known = versions.get(index)
  if (known?.of === of) return known.text
  const text = digest(`${release} ${of} ${index.vocabulary.digest}`).slice(0, 12)
  versions.set(index, { of, text })
  return text
}

function digest(text: string): string {
  return hash('sha1', text, 'base64url')
}
