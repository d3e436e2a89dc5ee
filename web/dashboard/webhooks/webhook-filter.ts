// Reads the filter of a webhook as typed or pasted: the query of a watch list, or the whole URL of an explorer view.

/** Parameters of a URL that control how a list is shown. They are not part of a filter. */
const viewNames: ReadonlySet<string> = new Set(['page', 'per_page', 'sort', 'fields', 'facets', 'explain'])

/** For a URL, its query without the view parameters; for anything else, the trimmed text. */
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

/** The decoded filter for display: `spec[dial_color]=deep blue`; unchanged if it cannot be decoded. */
export function readableFilter(filter: string): string {
  try {
    return decodeURIComponent(filter.replaceAll('+', ' '))
  } catch {
    return filter
  }
}
