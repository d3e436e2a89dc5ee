// Reads the filters of the request log from a URL and writes them into one.

export const filterNames = ['status', 'method', 'key', 'q', 'request_id'] as const
export type CallFilters = Partial<Record<(typeof filterNames)[number], string>>

/** Ignores empty parameters. */
export function filtersOf(query: URLSearchParams): CallFilters {
  const filters: CallFilters = {}
  for (const name of filterNames) {
    const value = query.get(name)?.trim()
    if (value) filters[name] = value
  }
  return filters
}

/** The URL of the log with these filters. */
export function logAddress(filters: CallFilters): string {
  const query = new URLSearchParams(filtersOf(new URLSearchParams(filters)))
  return query.size === 0 ? '/dashboard/requests' : `/dashboard/requests?${query}`
}
