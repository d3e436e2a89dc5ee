// In charge of the filters of the request log as addresses have them, that of the page and that of what is asked.

export const filterNames = ['status', 'method', 'key', 'q', 'request_id'] as const
export type CallFilters = Partial<Record<(typeof filterNames)[number], string>>

/** What is empty is no filter. */
export function filtersOf(query: URLSearchParams): CallFilters {
  const filters: CallFilters = {}
  for (const name of filterNames) {
    const value = query.get(name)?.trim()
    if (value) filters[name] = value
  }
  return filters
}

/** The address of the log with these filters. */
export function logAddress(filters: CallFilters): string {
  const query = new URLSearchParams(filtersOf(new URLSearchParams(filters)))
  return query.size === 0 ? '/dashboard/requests' : `/dashboard/requests?${query}`
}
