// The page of all webhooks of the account, or an explanation if the plan has none.
import { useEffect, useState } from 'preact/hooks'
import type { WebhookWithSecret } from '../../account-api.ts'
import { Page } from '../page.tsx'
import { WithData } from '../parts/state.tsx'
import { Link, navigate, usePlace } from '../router.tsx'
import { mayHaveWebhooks, useWebhookPlan, useWebhooks, type WebhookPlan } from './webhook-data.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { CreateWebhook } from './webhooks-create.tsx'
import { WebhooksList } from './webhooks-list.tsx'
import { NoneInPlan, NoneYet } from './webhooks-none.tsx'
import './webhooks.css'

const lede = 'Every change to the catalogue, posted to your URL within seconds.'
const newHref = '/dashboard/webhooks?new'

export function WebhooksPage() {
  const plan = useWebhookPlan()
  if (plan.data === undefined || !mayHaveWebhooks(plan.data)) {
    return (
      <Page title="Webhooks" lede={lede}>
        <WithData query={plan}>{(data) => <NoneInPlan plan={data} />}</WithData>
      </Page>
    )
  }
  return <ListOrForm plan={plan.data} />
}

/** The secret's dialog is rendered next to both, so that going back from the form does not close it. */
function ListOrForm({ plan }: { plan: WebhookPlan }) {
  const { query } = usePlace()
  const [made, setMade] = useState<WebhookWithSecret>()
  const [seenId, setSeenId] = useState<number>()
  useEffect(() => {
    // After the dialog is closed: while it is open, it blocks navigation.
    if (seenId !== undefined) navigate(`/dashboard/webhooks/${seenId}`, { replace: true })
  }, [seenId])
  const close = () => {
    setSeenId(made?.id)
    setMade(undefined)
  }
  return (
    <>
      {query.has('new') ? <CreateWebhook onMade={setMade} /> : <AllWebhooks plan={plan} />}
      {made !== undefined && (
        <WebhookSecret title="Your signing secret" secret={made.secret} onClose={close} />
      )}
    </>
  )
}

function AllWebhooks({ plan: { own } }: { plan: WebhookPlan }) {
  const webhooks = useWebhooks()
  const used = webhooks.data?.length ?? 0
  const isFull = used >= own.webhooksMax
  const action = used > 0 && !isFull && (
    <Link href={newHref} class="button">
      Create webhook
    </Link>
  )
  return (
    <Page title="Webhooks" lede={lede} action={action}>
      <WithData query={webhooks} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <NoneYet href={newHref} max={own.webhooksMax} />
          ) : (
            <>
              <p class="note">
                {used} of {own.webhooksMax} webhooks used.{' '}
                {isFull && (
                  <>
                    To create another, delete one or request{' '}
                    <Link href="/dashboard/plan">a plan with more</Link>.
                  </>
                )}
              </p>
              <WebhooksList webhooks={all} max={own.webhooksMax} />
            </>
          )
        }
      </WithData>
    </Page>
  )
}
