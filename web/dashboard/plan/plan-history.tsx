// In charge of what was asked for so far, and what came of it.
import type { PlanOffer, PlanRequest } from '../../account-api.ts'
import { Mark, type Tone } from '../parts/mark.tsx'
import { Moment } from '../parts/moment.tsx'

interface PlanHistoryProps {
  readonly plans: readonly PlanOffer[]
  readonly requests: readonly PlanRequest[]
}

const outcomes: Readonly<Record<PlanRequest['status'], readonly [Tone, string]>> = {
  pending: ['waiting', 'Waiting'],
  granted: ['good', 'Granted'],
  declined: ['bad', 'Declined'],
  withdrawn: ['ended', 'Withdrawn'],
}

export function PlanHistory({ plans, requests }: PlanHistoryProps) {
  return (
    <section class="stack" aria-labelledby="plan-history">
      <h2 id="plan-history">What you asked for</h2>
      {requests.length === 0 ? (
        <p class="note">
          You have not asked for another plan yet. Choose one above; what you ask for, and what comes of it,
          then stands here.
        </p>
      ) : (
        <table class="plan-history">
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Asked</th>
              <th scope="col">What came of it</th>
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
