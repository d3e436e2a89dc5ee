// In charge of what a new account may do next: told until it is done, or its first days are over.
import type { ComponentChildren } from 'preact'
import type { AccountOverview } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { usePlans } from '../account.ts'
import { Link } from '../router.tsx'
import { useWebhooks } from '../webhooks/webhook-data.ts'
import { areStepsLeft } from './next-steps.ts'
import { hasRequests } from './status-classes.ts'

interface StepsProps {
  readonly account: AccountOverview
  /** Whether the first key is on the screen. */
  readonly isKeyShown: boolean
}

export function OverviewSteps({ account, isKeyShown }: StepsProps) {
  const { plan, usage, created_at } = account
  const mayHaveWebhooks = (usePlans().data?.find(({ id }) => id === plan)?.webhooksMax ?? 0) > 0
  const hasWebhook = (useWebhooks(mayHaveWebhooks).data?.length ?? 0) > 0
  const hasCalled = hasRequests(usage.days)
  const ageMs = nowMs() - Date.parse(created_at)
  if (!areStepsLeft({ hasCalled, hasWebhook, ageMs })) return null
  return (
    <section class="stack" aria-labelledby="steps">
      <h2 id="steps">Next steps</h2>
      <ol class="steps">
        <Step title="Make your first call" isDone={hasCalled}>
          {hasCalled ? 'Done: the API has answered you.' : <FirstCall isKeyShown={isKeyShown} />}
        </Step>
        <Step
          title={mayHaveWebhooks ? 'Hear about changes' : 'Hear about changes, with Pro'}
          isDone={mayHaveWebhooks && hasWebhook}
        >
          {hasWebhook && mayHaveWebhooks ? (
            'Done: changes are sent to you.'
          ) : mayHaveWebhooks ? (
            <>
              <Link href="/dashboard/webhooks?new">Create a webhook</Link> and prices that change are sent to
              you.
            </>
          ) : (
            <>
              Webhooks and the change feed come with it.{' '}
              <Link href="/dashboard/plan">See what each plan adds</Link>
            </>
          )}
        </Step>
      </ol>
      <p class="note">
        Looking for certain watches? <a href="/explore">Explore the catalogue</a>: every view shows the
        request that makes it. The <a href="/docs">docs</a> tell about filters, units and pages.
      </p>
    </section>
  )
}

function FirstCall({ isKeyShown }: { isKeyShown: boolean }) {
  if (isKeyShown) return <>Press “Run it” above, or paste the command into a terminal.</>
  return (
    <>
      Send any request with your key, or <Link href="/dashboard/keys">create a key</Link> and run one from
      there.
    </>
  )
}

interface StepProps {
  readonly title: string
  readonly isDone?: boolean
  readonly children: ComponentChildren
}

function Step({ title, isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'step-done' : undefined}>
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  )
}
