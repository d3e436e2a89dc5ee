// The page of one webhook: its state, its actions and its delivery log.
import type { Webhook } from '../../account-api.ts'
import { Page } from '../page.tsx'
import { WithData } from '../parts/state.tsx'
import { Link, usePlace } from '../router.tsx'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { isMissing, mayHaveWebhooks, useWebhook, useWebhookPlan, useWebhooks } from './webhook-data.ts'
import { EditWebhook } from './webhook-edit.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { webhookState } from './webhook-standing.ts'
import { NoneInPlan } from './webhooks-none.tsx'
import './webhooks.css'

export function WebhookPage({ id = '' }: Readonly<Record<string, string>>) {
  const plan = useWebhookPlan()
  const title = `Webhook ${id}`
  if (plan.data === undefined || !mayHaveWebhooks(plan.data)) {
    return (
      <Page title={title} action={<AllLink />}>
        <WithData query={plan}>{(data) => <NoneInPlan plan={data} />}</WithData>
      </Page>
    )
  }
  return <OwnWebhook id={id} title={title} max={plan.data.own.webhooksMax} />
}

function OwnWebhook({ id, title, max }: { id: string; title: string; max: number }) {
  const webhook = useWebhook(id)
  const { query } = usePlace()
  if (isMissing(webhook.error)) return <NoSuchWebhook />
  const { data } = webhook
  if (query.has('edit') && data !== undefined) return <EditWebhook webhook={data} />
  return (
    <Page title={data?.description ?? data?.endpoint_url ?? title} action={<AllLink />}>
      <WithData query={webhook} lines={8}>
        {(found) => <Contents webhook={found} max={max} />}
      </WithData>
    </Page>
  )
}

function Contents({ webhook, max }: { webhook: Webhook; max: number }) {
  const all = useWebhooks().data ?? []
  const isBeyondPlan = all.findIndex(({ id }) => id === webhook.id) >= max
  const standing = webhookState(webhook, isBeyondPlan)
  return (
    <>
      <WebhookFacts webhook={webhook} standing={standing} />
      <WebhookActions webhook={webhook} />
      <DeliveryLog webhook={webhook} />
    </>
  )
}

function AllLink() {
  return <Link href="/dashboard/webhooks">All webhooks</Link>
}

function NoSuchWebhook() {
  return (
    <Page title="This webhook does not exist">
      <p>
        It may have been deleted, or the URL is mistyped.{' '}
        <Link href="/dashboard/webhooks">See all webhooks</Link>
      </p>
    </Page>
  )
}
