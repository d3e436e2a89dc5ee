// The page of one delivery: the event, the request, and the result of each attempt.
import { useEffect, useRef } from 'preact/hooks'
import type { DeliveryDetails } from '../../../account-api.ts'
import { Page } from '../../page.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { say } from '../../parts/say.ts'
import { Trouble, WithData } from '../../parts/state.tsx'
import { Link } from '../../router.tsx'
import {
  isMissing,
  mayHaveWebhooks,
  useDelivery,
  useRedeliver,
  useWebhook,
  useWebhookPlan,
} from '../webhook-data.ts'
import { NoneInPlan } from '../webhooks-none.tsx'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { DeliveryRequest } from './delivery-request.tsx'
import { answerOf } from './delivery-words.ts'
import '../webhooks.css'

export function DeliveryPage({ id = '', delivery = '' }: Readonly<Record<string, string>>) {
  const plan = useWebhookPlan()
  const title = `Delivery ${delivery}`
  if (plan.data === undefined || !mayHaveWebhooks(plan.data)) {
    return (
      <Page title={title}>
        <WithData query={plan}>{(data) => <NoneInPlan plan={data} />}</WithData>
      </Page>
    )
  }
  return <OwnDelivery id={id} delivery={delivery} title={title} />
}

function OwnDelivery({ id, delivery, title }: { id: string; delivery: string; title: string }) {
  const found = useDelivery(id, delivery)
  const webhookHref = `/dashboard/webhooks/${id}`
  if (isMissing(found.error)) return <NoSuchDelivery />
  return (
    <Page title={title} action={<Link href={webhookHref}>Webhook {id}</Link>}>
      <WithData query={found} lines={8}>
        {(details) => (
          <>
            <DeliveryFacts delivery={details} />
            <Redeliver id={id} details={details} />
            <DeliveryAttempts details={details} />
            <DeliveryRequest details={details} />
          </>
        )}
      </WithData>
    </Page>
  )
}

function Redeliver({ id, details }: { id: string; details: DeliveryDetails }) {
  const isDisabled = useWebhook(id).data?.status === 'disabled'
  const redeliver = useRedeliver(id, String(details.id), () => say('Redelivering the event.'))
  useSayNewAttempt(details)
  return (
    <section class="stack" aria-label="Redeliver">
      <p class="actions">
        {!isDisabled && (
          <BusyButton class="button" isBusy={redeliver.isPending} onClick={() => redeliver.mutate()}>
            {details.status === 'waiting' && details.attempts_count > 0 ? 'Try now' : 'Redeliver'}
          </BusyButton>
        )}
      </p>
      <p class="note">
        {isDisabled
          ? 'The webhook is disabled. Activate it to redeliver events.'
          : 'The event is sent with the same webhook-id, so your endpoint can recognise duplicates.'}
      </p>
      {Boolean(redeliver.error) && <Trouble error={redeliver.error} />}
    </section>
  )
}

/** Announces the result of an attempt that was made while the page is open. */
function useSayNewAttempt({ attempts: [last] }: DeliveryDetails): void {
  const seen = useRef(last?.attempt ?? 0)
  useEffect(() => {
    if (last === undefined || last.attempt <= seen.current) return
    seen.current = last.attempt
    say(`Attempt ${last.attempt}: ${answerOf(last)}.`)
  }, [last])
}

function NoSuchDelivery() {
  return (
    <Page title="This delivery does not exist">
      <p>
        Deliveries are kept for 30 days and deleted with their webhook.{' '}
        <Link href="/dashboard/webhooks">See all webhooks</Link>
      </p>
    </Page>
  )
}
