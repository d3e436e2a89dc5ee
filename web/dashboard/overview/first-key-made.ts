// In charge of having the first key made, once, however often one looks; and of remembering it until it was put away.
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { NewApiKey } from '../../account-api.ts'
import { keepKey } from '../../scripts/kept-key.ts'
import { kept, start } from '../account.ts'
import { ask } from '../ask.ts'
import { useKeys } from '../keys/key-data.ts'

export interface FirstKeyState {
  readonly made: NewApiKey | null | undefined
  readonly error: unknown
  readonly isBeingMade: boolean
  readonly retry: () => void
  readonly putAway: () => void
}

const queryKey = ['first-key']

export function useFirstKey(): FirstKeyState {
  const client = useQueryClient()
  const keys = useKeys()
  const query = useQuery({
    queryKey,
    queryFn: makeFirstKey,
    // Whoever runs the service came for something else.
    enabled: keys.data?.length === 0 && start.role === 'consumer',
    // A key is made once: whatever makes other questions fresh again must leave this one alone.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: false,
  })
  const putAway = () => client.setQueryData(queryKey, null)
  useEffect(() => {
    if (query.data !== undefined) void client.invalidateQueries({ queryKey: kept.keys })
  }, [query.data])
  // Whoever has gone to another page has been asked.
  useEffect(() => () => void (query.data && putAway()), [query.data])
  return {
    made: query.data,
    error: query.error,
    isBeingMade: query.isFetching,
    retry: () => void query.refetch(),
    putAway,
  }
}

/** Null where there is one already, made in another tab perhaps. */
async function makeFirstKey(): Promise<NewApiKey | null> {
  const said = await ask<{ data: NewApiKey } | undefined>('POST', '/api/account/keys/first')
  if (said === undefined) return null
  keepKey(start.email, said.data.key)
  return said.data
}
