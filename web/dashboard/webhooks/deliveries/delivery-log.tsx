// The delivery log of a webhook: the filters and the page are in the URL, and it polls more often while a delivery
// is due.

import { useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { Webhook } from '../../../account-api.ts'
import { kept } from '../../account.ts'
import { Empty, WithData } from '../../parts/state.tsx'
import { Link, navigate, usePlace } from '../../router.tsx'
import { type DeliveryPage, useDeliveries } from '../webhook-data.ts'
import { RedeliverFailed } from '../webhook-redeliver.tsx'
import { DeliveryLogFilters } from './delivery-log-filters.tsx'
import { type LogPlace, logQuery, pagesOf, parseLogPlace } from './delivery-log-place.ts'
import { DeliveryTable } from './delivery-table.tsx'

export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { path, query } = usePlace()
  const place = parseLogPlace(query)
  const id = String(webhook.id)
  const deliveries = useDeliveries(id, place)
  useFreshWebhook(id, deliveries.data)
  const go = (next: Partial<LogPlace>) =>
    navigate(path + logQuery({ ...place, page: 1, ...next }), { replace: true })
  return (
    <section class="stack" aria-labelledby="log">
      <div class="log-heading">
        <h2 id="log">Deliveries</h2>
        <RedeliverFailed webhook={webhook} />
      </div>
      <DeliveryLogFilters place={place} onChange={go} />
      <WithData query={deliveries} lines={6}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <NoDeliveries place={place} path={path} total={meta.total} />
          ) : (
            <div aria-busy={deliveries.isPlaceholderData}>
              <DeliveryTable webhookId={id} deliveries={data} />
              <Pager path={path} place={{ ...place, page: meta.current_page }} total={meta.total} />
            </div>
          )
        }
      </WithData>
    </section>
  )
}

/** Refetches the webhook when the outcome of its deliveries changes, because its state depends on them. */
function useFreshWebhook(id: string, page: DeliveryPage | undefined): void {
  const client = useQueryClient()
  const outcome = page?.data.map(({ status, attempts_count }) => `${status}${attempts_count}`).join()
  useEffect(() => {
    if (outcome) void client.invalidateQueries({ queryKey: [...kept.webhooks, id], exact: true })
  }, [client, id, outcome])
}

function NoDeliveries({ place, path, total }: { place: LogPlace; path: string; total: number }) {
  if (total > 0) {
    return (
      <Empty title="This page is empty">
        <p>
          The log has fewer pages. <Link href={path + logQuery({ ...place, page: 1 })}>Go to the newest</Link>
        </p>
      </Empty>
    )
  }
  if (place.status !== '' || place.type !== '') {
    return (
      <Empty title="No matching deliveries">
        <p>
          No delivery of the last 30 days matches the filters. <Link href={path}>Show all deliveries</Link>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title="No deliveries yet">
      <p>
        Every event of the last 30 days is listed here with the response of your endpoint. There was no
        matching change yet. Send a test to check your endpoint.
      </p>
    </Empty>
  )
}

function Pager({ path, place, total }: { path: string; place: LogPlace; total: number }) {
  const pages = pagesOf(total)
  const to = (page: number) => path + logQuery({ ...place, page })
  return (
    <nav class="log-pager" aria-label="Log pages">
      {place.page > 1 && <Link href={to(place.page - 1)}>Newer</Link>}
      <span>
        {total.toLocaleString('en')} {total === 1 ? 'delivery' : 'deliveries'}
        {pages > 1 && `, page ${place.page} of ${pages.toLocaleString('en')}`}
      </span>
      {place.page < pages && <Link href={to(place.page + 1)}>Older</Link>}
    </nav>
  )
}
