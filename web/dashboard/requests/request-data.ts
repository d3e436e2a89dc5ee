// Fetches the request log of the account.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { RequestPage } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import type { CallFilters } from './call-filters.ts'

const pageLimit = 50
const overviewMs = 15_000

/** The newest `limit` requests. */
export function useCalls(filters: CallFilters, limit: number) {
  return useQuery({
    queryKey: [...kept.requests, filters, limit],
    queryFn: () => askCalls(filters, limit),
    refetchInterval: overviewMs,
  })
}

/** The log page by page, refetched every `everyMs`, or not at all if false. */
export function useCallPages(filters: CallFilters, everyMs: number | false) {
  const client = useQueryClient()
  const queryKey = [...kept.requests, 'pages', filters]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => askCalls(filters, pageLimit, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }: RequestPage) => meta.next ?? undefined,
    refetchInterval: everyMs,
    // Keep showing the old rows until the response for the new filters is there.
    placeholderData: (before) => before,
  })
  /** Drops older pages from the cache, so that only the newest page is refetched. */
  const toNewest = () => {
    client.setQueryData(queryKey, (all: InfiniteData<RequestPage> | undefined) =>
      all === undefined ? all : { pages: all.pages.slice(0, 1), pageParams: all.pageParams.slice(0, 1) },
    )
    void query.refetch()
  }
  return { query, toNewest }
}

function askCalls(filters: CallFilters, limit: number, before?: string): Promise<RequestPage> {
  const query = new URLSearchParams({ ...filters, limit: String(limit) })
  if (before !== undefined) query.set('before', before)
  return ask('GET', `/api/account/requests?${query}`)
}
