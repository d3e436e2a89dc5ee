// In charge of what the app asks about the account's last calls.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { RequestPage } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import type { CallFilters } from './call-filters.ts'

const pageLimit = 50
const overviewMs = 15_000

/** The newest of them. */
export function useCalls(filters: CallFilters, limit: number) {
  return useQuery({
    queryKey: [...kept.requests, filters, limit],
    queryFn: () => askCalls(filters, limit),
    refetchInterval: overviewMs,
  })
}

/** Page by page; asked for again every so often, or not at all. */
export function useCallPages(filters: CallFilters, everyMs: number | false) {
  const client = useQueryClient()
  const queryKey = [...kept.requests, 'pages', filters]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => askCalls(filters, pageLimit, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }: RequestPage) => meta.next ?? undefined,
    refetchInterval: everyMs,
    // What was shown stays until the answer to other filters is there.
    placeholderData: (before) => before,
  })
  /** Lets go of older pages: what is followed is the newest, and asking for all of them again would be much. */
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
