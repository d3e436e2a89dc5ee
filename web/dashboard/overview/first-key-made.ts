// Creates the first key of an account, once, however often the page is shown, and caches it until the user closes it.
import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { NewApiKey } from '../../account-api.ts'
import { storeKey } from '../../scripts/stored-key.ts'
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
    // Operators do not need an API key.
    enabled: keys.data?.length === 0 && start.role === 'consumer',
    // The key is created only once, so nothing may trigger a refetch.
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
  // Users who left the page have confirmed that the key is no longer shown.
  useEffect(() => () => void (query.data && putAway()), [query.data])
  return {
    made: query.data,
    error: query.error,
    isBeingMade: query.isFetching,
    retry: () => void query.refetch(),
    putAway,
  }
}

/** Null when the account already has a key, created in another tab for example. */
async function makeFirstKey(): Promise<NewApiKey | null> {
  const said = await ask<{ data: NewApiKey } | undefined>('POST', '/api/account/keys/first')
  if (said === undefined) return null
  storeKey(start.email, said.data.key)
  return said.data
}
