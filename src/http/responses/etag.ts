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
  return `"${catalogueVersion(index)}-${digest(name)}"`
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

const versions = new WeakMap<WatchIndex, { readonly of: string; readonly text: string }>()

/** Depends on all inputs of a response: the release of this code, the catalogue and the vocabulary. */
function catalogueVersion(index: WatchIndex): string {
  const of = index.version
  const known = versions.get(index)
  if (known?.of === of) return known.text
  const text = digest(`${version} ${of} ${index.vocabulary.digest}`).slice(0, 12)
  versions.set(index, { of, text })
  return text
}

function digest(text: string): string {
  return hash('sha1', text, 'base64url')
}
