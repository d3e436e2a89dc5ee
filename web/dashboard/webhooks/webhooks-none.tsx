// The empty states of the webhooks page: what webhooks are, why there are none, and the next step.
import { Empty } from '../parts/state.tsx'
import { Link } from '../router.tsx'
import type { WebhookPlan } from './webhook-data.ts'

export function NoneYet({ href, max }: { href: string; max: number }) {
  return (
    <Empty title="No webhooks yet">
      <p>
        A webhook sends changes to your URL. When a watch is added, changed, repriced or deleted, we post an
        event there: signed, in order for each watch, and retried for days if it fails.
      </p>
      <p>Your plan includes {max} webhooks.</p>
      <p class="actions">
        <Link href={href} class="button">
          Create webhook
        </Link>
        <a href="/docs/webhooks" class="button quiet">
          How webhooks work
        </a>
      </p>
    </Empty>
  )
}

export function NoneInPlan({ plan: { own, granting } }: { plan: WebhookPlan }) {
  return (
    <Empty title={`${own.name} does not include webhooks`}>
      <p>
        A webhook sends changes to your URL. When a watch is added, changed, repriced or deleted, we post an
        event there: signed, in order for each watch, and retried for days if it fails. You do not have to
        poll for changes.
      </p>
      {granting !== undefined && (
        <p>
          {granting.name} includes {granting.webhooksMax} webhooks for ${granting.usdPerMonth} per month.
          Webhooks from an earlier plan are kept, but receive no events until your plan includes webhooks
          again.
        </p>
      )}
      <p class="actions">
        <Link href="/dashboard/plan" class="button">
          Compare plans
        </Link>
        <a href="/docs/webhooks" class="button quiet">
          How webhooks work
        </a>
      </p>
    </Empty>
  )
}
