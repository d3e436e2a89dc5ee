// In charge of what is said where there are no webhooks: what they are, why there are none, and the next step.
import { Empty } from '../parts/state.tsx'
import { Link } from '../router.tsx'
import type { WebhookPlan } from './webhook-data.ts'

export function NoneYet({ href, max }: { href: string; max: number }) {
  return (
    <Empty title="No webhook yet">
      <p>
        A webhook is an address of yours. When a watch is new, changes, gets another price or goes, we post it
        there, signed, in order for each watch, and again until you have taken it.
      </p>
      <p>You have created none so far; your plan has room for {max}.</p>
      <p class="actions">
        <Link href={href} class="button">
          Create webhook
        </Link>
        <a href="/docs/webhooks" class="button quiet">
          Read how they work
        </a>
      </p>
    </Empty>
  )
}

export function NoneInPlan({ plan: { own, granting } }: { plan: WebhookPlan }) {
  return (
    <Empty title={`Webhooks are not part of ${own.name}`}>
      <p>
        A webhook is an address of yours. When a watch is new, changes, gets another price or goes, we post it
        there, signed, in order for each watch, and again until you have taken it. So you need not ask for
        changes.
      </p>
      {granting !== undefined && (
        <p>
          {granting.name} has {granting.webhooksMax} of them, for ${granting.usdPerMonth} a month. Webhooks
          that you created on an earlier plan are kept, and get nothing until you are on such a plan again.
        </p>
      )}
      <p class="actions">
        <Link href="/dashboard/plan" class="button">
          Look at the plans
        </Link>
        <a href="/docs/webhooks" class="button quiet">
          Read how they work
        </a>
      </p>
    </Empty>
  )
}
