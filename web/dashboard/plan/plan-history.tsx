// Lists the user's plan requests and their status.
import type { PlanOffer, PlanRequest } from '../../account-api.ts'
import { Mark, type Tone } from '../parts/mark.tsx'
import { Moment } from '../parts/moment.tsx'

interface PlanHistoryProps {
  readonly plans: readonly PlanOffer[]
  readonly requests: readonly PlanRequest[]
}

const outcomes: Readonly<Record<PlanRequest['status'], readonly [Tone, string]>> = {
  pending: ['waiting', 'Pending'],
  granted: ['good', 'Granted'],
  declined: ['bad', 'Declined'],
  withdrawn: ['ended', 'Withdrawn'],
}

export function PlanHistory({ plans, requests }: PlanHistoryProps) {
  return (
    <section class="stack" aria-labelledby="plan-history">
      <h2 id="plan-history">Your plan requests</h2>
      {requests.length === 0 ? (
        <p class="note">
          No plan requests yet. When you request a plan, the request and its status appear here.
        </p>
      ) : (
        <table class="plan-history">
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Date</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <tr key={request.id}>
                <th scope="row">{plans.find(({ id }) => id === request.plan)?.name ?? request.plan}</th>
                <td>
                  <Moment at={request.asked_at} />
                </td>
                <td>
                  <Outcome {...request} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function Outcome({ status, decided_at }: PlanRequest) {
  const [tone, word] = outcomes[status]
  return (
    <>
      <Mark tone={tone}>{word}</Mark> {decided_at !== null && <Moment at={decided_at} />}
    </>
  )
}
