// Fetches and changes webhooks and their deliveries, and invalidates the cache after a change.
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import type { Delivery, DeliveryDetails, PlanOffer, Webhook, WebhookWithSecret } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { kept, start, useAccount, usePlans } from '../account.ts'
import { ask, askData, Refusal } from '../ask.ts'
import { type LogPlace, logQuery } from './deliveries/delivery-log-place.ts'
import { pollIntervalMs } from './deliveries/delivery-words.ts'
import { testEvent } from './webhook-events.ts'

const webhooksPath = '/api/account/webhooks'
const freshMs = 15_000
const notFoundStatus = 404

/** The fields of a webhook that the user sets. */
export interface WebhookDraft {
  readonly endpoint_url: string
  readonly events: readonly string[]
  readonly filter: string | null
  readonly description: string | null
}

export interface DeliveryPage {
  readonly data: readonly Delivery[]
  readonly meta: { readonly current_page: number; readonly per_page: number; readonly total: number }
}

/** The account's plan and the cheapest plan with webhooks; undefined until the plans are loaded. */
export function useWebhookPlan(): { data: WebhookPlan | undefined; error: unknown; refetch: () => unknown } {
  const account = useAccount()
  const { data: offers, error, refetch } = usePlans()
  const plan = account.data?.plan ?? start.plan
  const own = offers?.find(({ id }) => id === plan)
  const granting = offers?.find(({ grants }) => grants.includes('webhooks'))
  return { data: own && { own, granting }, error, refetch }
}

export interface WebhookPlan {
  readonly own: PlanOffer
  readonly granting: PlanOffer | undefined
}

export function mayHaveWebhooks({ own }: WebhookPlan): boolean {
  return own.grants.includes('webhooks')
}

/** `mayAsk` is false when the plan has no webhooks; then nothing is fetched. */
export function useWebhooks(mayAsk = true) {
  return useQuery({
    queryKey: kept.webhooks,
    queryFn: () => askData<readonly Webhook[]>('GET', webhooksPath),
    enabled: mayAsk,
    refetchInterval: freshMs,
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...kept.webhooks, id],
    queryFn: () => askData<Webhook>('GET', `${webhooksPath}/${id}`),
    refetchInterval: freshMs,
  })
}

/** Keeps the previous page until the next one is loaded. */
export function useDeliveries(id: string, place: LogPlace) {
  const query = logQuery(place)
  return useQuery({
    queryKey: [...kept.webhooks, id, 'deliveries', query],
    queryFn: () => ask<DeliveryPage>('GET', `${webhooksPath}/${id}/deliveries${query}`),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => pollIntervalMs(state.data?.data ?? [], nowMs()),
  })
}

/** Whether a delivery other than a test failed. Tests are not included when all failed deliveries are resent. */
export function useHasFailed(id: string): boolean {
  const { data } = useDeliveries(id, { status: 'failed', type: '', page: 1 })
  if (data === undefined) return false
  return data.meta.total > data.data.length || data.data.some(({ event }) => event.type !== testEvent)
}

export function useDelivery(id: string, delivery: string) {
  return useQuery({
    queryKey: [...kept.webhooks, id, 'deliveries', Number(delivery)],
    queryFn: () => askData<DeliveryDetails>('GET', `${webhooksPath}/${id}/deliveries/${delivery}`),
    refetchInterval: ({ state }) => pollIntervalMs(state.data === undefined ? [] : [state.data], nowMs()),
    enabled: delivery !== '',
  })
}

export function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.status === notFoundStatus
}

/** A mutation of a webhook that refetches all webhook data afterwards. */
function useWebhookMutation<T, Given = void>(deed: (given: Given) => Promise<T>, onDone: (done: T) => void) {
  const client = useQueryClient()
  return useMutation<T, Error, Given>({
    mutationFn: deed,
    onSuccess: (done) => {
      onDone(done)
      return client.invalidateQueries({ queryKey: kept.webhooks })
    },
  })
}

export function useCreate(onDone: (made: WebhookWithSecret) => void) {
  return useWebhookMutation(
    (draft: WebhookDraft) => askData<WebhookWithSecret>('POST', webhooksPath, draft),
    onDone,
  )
}

type Changes = Partial<WebhookDraft> & { readonly status?: 'active' | 'paused' }

export function useChange(id: string, onDone: (webhook: Webhook) => void) {
  return useWebhookMutation(
    (changes: Changes) => askData<Webhook>('PATCH', `${webhooksPath}/${id}`, changes),
    onDone,
  )
}

export function useRotate(id: string, onDone: (made: WebhookWithSecret) => void) {
  return useWebhookMutation(
    () => askData<WebhookWithSecret>('POST', `${webhooksPath}/${id}/rotate-secret`),
    onDone,
  )
}

export function useSendTest(id: string, onDone: (delivery: Delivery) => void) {
  return useWebhookMutation(() => askData<Delivery>('POST', `${webhooksPath}/${id}/test`), onDone)
}

export function useRedeliver(id: string, delivery: string, onDone: (delivery: Delivery) => void) {
  const path = `${webhooksPath}/${id}/deliveries/${delivery}/redeliver`
  return useWebhookMutation(() => askData<Delivery>('POST', path), onDone)
}

export function useRedeliverFailed(id: string, onDone: (redelivered: number) => void) {
  const path = `${webhooksPath}/${id}/redeliver`
  return useWebhookMutation(
    async (since: string) => (await askData<{ redelivered: number }>('POST', path, { since })).redelivered,
    onDone,
  )
}

/** Refetches only the list: the deleted webhook's page may still be shown for a moment and would get a 404. */
export function useDelete(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask<undefined>('DELETE', `${webhooksPath}/${id}`),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: kept.webhooks, exact: true })
    },
  })
}
