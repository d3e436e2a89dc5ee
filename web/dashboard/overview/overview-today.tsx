// Shows today's quota: the remaining requests as a dial, when the quota resets, and what to do when it is used up.
import { useQueryClient } from '@tanstack/preact-query'
import type { PlanName, UsageToday } from '../../account-api.ts'
import { utcTime } from '../../scripts/local-time.ts'
import { kept, usePlans } from '../account.ts'
import { Countdown } from '../parts/countdown.tsx'
import { Link } from '../router.tsx'
import { ReserveDial } from './overview-dial.tsx'

const clockTime = new Intl.DateTimeFormat(undefined, {
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})

export function OverviewToday({ plan, usage }: { plan: PlanName; usage: UsageToday }) {
  const { limit, used, remaining, reset } = usage
  const client = useQueryClient()
  const planName = usePlans().data?.find(({ id }) => id === plan)?.name ?? plan
  return (
    <section class="overview-part today" aria-labelledby="today">
      <h2 id="today" class="unseen">
        Today
      </h2>
      <ReserveDial remaining={remaining} limit={limit} />
      <div class="stack">
        <dl class="facts today-facts">
          <div>
            <dt>Used today</dt>
            <dd>
              {used.toLocaleString()} <span class="today-of">of {limit.toLocaleString()}</span>
            </dd>
          </div>
          <div>
            <dt>Resets in</dt>
            <dd>
              <Countdown at={reset} onEnd={() => void client.invalidateQueries({ queryKey: kept.account })} />
              <small>
                at{' '}
                <time dateTime={reset} title={utcTime(reset)}>
                  {clockTime.format(new Date(reset))}
                </time>
              </small>
            </dd>
          </div>
          <div>
            <dt>Plan</dt>
            <dd>
              {planName}
              <small>
                <Link href="/dashboard/plan">Compare plans</Link>
              </small>
            </dd>
          </div>
        </dl>
        {remaining === 0 && <NothingLeft plan={plan} />}
      </div>
    </section>
  )
}

function NothingLeft({ plan }: { plan: PlanName }) {
  const plans = usePlans().data ?? []
  const own = plans.find(({ id }) => id === plan)?.requestsPerDay ?? 0
  const hasMore = plans.some(({ requestsPerDay }) => requestsPerDay > own)
  return (
    <div class="question" role="status">
      <p>
        <strong>You have used today’s quota.</strong> Until it resets, requests return status 429 with the
        seconds to wait in <code>Retry-After</code>. Requests with <code>If-None-Match</code> for unchanged
        data still return 304.
      </p>
      {hasMore && (
        <p class="actions">
          <Link href="/dashboard/plan" class="button small">
            See plans with more requests
          </Link>
        </p>
      )}
    </div>
  )
}
