// The page on which operators see pending plan requests and grant or decline them.
import { useState } from 'preact/hooks'
import type { WaitingPlanRequest } from '../../account-api.ts'
import { usePlans } from '../account.ts'
import { Page } from '../page.tsx'
import { useLostFocus } from '../parts/lost-focus.ts'
import { Ago } from '../parts/moment.tsx'
import { Empty, WithData } from '../parts/state.tsx'
import { DecideDialog, type Decision } from './plan-requests-decide.tsx'
import { useWaiting } from './plan-requests-waiting.ts'
import './plan-requests.css'

export function PlanRequestsPage() {
  const waiting = useWaiting()
  // Read so that every poll renders the page again: the "… ago" texts change even if the list does not.
  void waiting.dataUpdatedAt
  return (
    <Page title="Plan requests" lede="Customers who requested another plan, oldest first.">
      <WithData query={waiting}>{(requests) => <Waiting requests={requests} />}</WithData>
    </Page>
  )
}

interface Deciding {
  readonly request: WaitingPlanRequest
  readonly decision: Decision
}

function Waiting({ requests }: { requests: readonly WaitingPlanRequest[] }) {
  const [deciding, setDeciding] = useState<Deciding>()
  const count = useLostFocus<HTMLParagraphElement>()
  const { data: plans } = usePlans()
  const nameOf = (id: string) => plans?.find((plan) => plan.id === id)?.name ?? id
  return (
    <>
      <p role="status" class={requests.length === 0 ? 'unseen' : undefined} ref={count.ref} tabIndex={-1}>
        {tellCount(requests.length)}
      </p>
      {requests.length === 0 ? (
        <Empty title="No pending requests">
          <p>
            When a customer requests another plan, the request appears here until you grant or decline it.
            This page updates automatically.
          </p>
        </Empty>
      ) : (
        <ul class="waiting-list">
          {requests.map((request) => (
            <WaitingRow
              key={request.id}
              request={request}
              nameOf={nameOf}
              onDecide={(decision) => setDeciding({ request, decision })}
            />
          ))}
        </ul>
      )}
      {deciding !== undefined && (
        <DecideDialog
          {...deciding}
          plans={plans ?? []}
          onClose={() => {
            setDeciding(undefined)
            count.settle()
          }}
        />
      )}
    </>
  )
}

interface WaitingRowProps {
  readonly request: WaitingPlanRequest
  readonly nameOf: (plan: string) => string
  readonly onDecide: (decision: Decision) => void
}

function WaitingRow({ request, nameOf, onDecide }: WaitingRowProps) {
  const { name, email, plan, asked_plan, asked_at } = request
  return (
    <li>
      <div>
        <p>
          <strong>{name === '' ? email : name}</strong> {name !== '' && <span class="note">{email}</span>}
        </p>
        <p>
          From {nameOf(plan)} to <strong>{nameOf(asked_plan)}</strong>, requested <Ago at={asked_at} />
        </p>
      </div>
      <p class="actions">
        <button type="button" class="button small" onClick={() => onDecide('grant')}>
          Grant<span class="unseen"> the request of {email}</span>
        </button>
        <button type="button" class="button quiet small" onClick={() => onDecide('decline')}>
          Decline<span class="unseen"> the request of {email}</span>
        </button>
      </p>
    </li>
  )
}

function tellCount(count: number): string {
  if (count === 0) return 'No pending requests.'
  return count === 1 ? '1 pending request.' : `${count} pending requests.`
}
