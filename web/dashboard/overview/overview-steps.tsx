// Shows the next steps of a new account until they are done or the first week is over.
import type { ComponentChildren } from 'preact'
import type { AccountOverview } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { start, usePlans } from '../account.ts'
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
        <Step title="Send your first request" isDone={hasCalled}>
          {hasCalled ? 'Done.' : <FirstCall isKeyShown={isKeyShown} />}
        </Step>
        <Step
          title={mayHaveWebhooks ? 'Get notified of changes' : 'Get notified of changes with Pro'}
          isDone={mayHaveWebhooks && hasWebhook}
        >
          {hasWebhook && mayHaveWebhooks ? (
            'Done. Changes are sent to your webhook.'
          ) : mayHaveWebhooks ? (
            <>
              <Link href="/dashboard/webhooks?new">Create a webhook</Link> to receive price changes and other
              events.
            </>
          ) : (
            <>
              Pro includes webhooks and the change feed. <Link href="/dashboard/plan">Compare plans</Link>
            </>
          )}
        </Step>
      </ol>
      <p class="note">
        {start.hasExplorer && (
          <>
            Looking for specific watches? <a href="/explore">Explore the catalogue</a>: every view shows its
            API call.{' '}
          </>
        )}
        The <a href="/docs">docs</a> explain filters, units and pagination.
      </p>
    </section>
  )
}

function FirstCall({ isKeyShown }: { isKeyShown: boolean }) {
  if (isKeyShown) return <>Press “Run it” above, or paste the command into a terminal.</>
  return (
    <>
      Send any request with your key, or <Link href="/dashboard/keys">create a key</Link> and run a request
      from there.
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
