// In charge of the filter of a webhook as it is written or pasted: the query of a list of watches, or the whole address
// of a view of the explorer.

/** What an address says of how a list is shown; a filter says only which watches are in it. */
const viewNames: ReadonlySet<string> = new Set(['page', 'per_page', 'sort', 'fields', 'facets', 'explain'])

/** Of an address its query, without what is about the view; anything else as it is written. */
export function filterOf(written: string): string {
  const trimmed = written.trim()
  const isAddress = /^(https?:\/)?\/[^?]*\?/i.test(trimmed)
  if (!isAddress) return trimmed.replace(/^\?/, '')
  const query = trimmed.slice(trimmed.indexOf('?') + 1).replace(/#.*$/, '')
  return query
    .split('&')
    .filter((pair) => pair !== '' && !viewNames.has(pair.split('=', 1)[0] ?? ''))
    .join('&')
}

/** For people: `spec[dial_color]=deep blue`; as it stands where it cannot be decoded. */
export function readableFilter(filter: string): string {
  try {
    return decodeURIComponent(filter.replaceAll('+', ' '))
  } catch {
    return filter
  }
}
