// Fetches and changes the account's API keys.
import { useQuery } from '@tanstack/preact-query'
import type { ApiKey, NewApiKey } from '../../account-api.ts'
import { kept } from '../account.ts'
import { ask, askData } from '../ask.ts'

export function useKeys() {
  return useQuery({
    queryKey: kept.keys,
    queryFn: () => askData<readonly ApiKey[]>('GET', '/api/account/keys'),
    refetchInterval: 30_000,
  })
}

interface KeyDraft {
  readonly name: string
  readonly is_test: boolean
  readonly expires_in_days?: number
}

export function createKey(draft: KeyDraft): Promise<NewApiKey> {
  return askData('POST', '/api/account/keys', draft)
}

export function renameKey(id: string, name: string): Promise<void> {
  return ask('PATCH', `/api/account/keys/${id}`, { name })
}

export function rollKey(id: string, overlapHours: number): Promise<NewApiKey> {
  return askData('POST', `/api/account/keys/${id}/roll`, { overlap_hours: overlapHours })
}

export function revokeKey(id: string): Promise<void> {
  return ask('DELETE', `/api/account/keys/${id}`)
}

/** What `keyHint` needs of a key. The request log has live keys only, and does not say so. */
type Hinted = Pick<ApiKey, 'hint'> & Partial<Pick<ApiKey, 'is_test'>>

/** The beginning and end of a key, which identify it without revealing it. */
export function keyHint({ hint, is_test = false }: Hinted): string {
  return `wd_${is_test ? 'test' : 'live'}_…${hint}`
}

export function isEnded({ status }: Pick<ApiKey, 'status'>): boolean {
  return status === 'expired' || status === 'revoked'
}
