// Lists the most recent requests with a 4xx or 5xx status, each with its request ID.
import type { RequestLine } from '../../account-api.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Mark, toneOf } from '../parts/mark.tsx'
import { Ago } from '../parts/moment.tsx'
import { Skeleton, Trouble } from '../parts/state.tsx'
import { useCalls } from '../requests/request-data.ts'
import { Link } from '../router.tsx'

const shownMax = 6

/** `hasAny` is whether the account has any requests. */
export function OverviewErrors({ hasAny }: { hasAny: boolean }) {
  const yours = useCalls({ status: '4xx' }, shownMax)
  const ours = useCalls({ status: '5xx' }, shownMax)
  const error = yours.error ?? ours.error
  const isThere = yours.data !== undefined && ours.data !== undefined
  const calls = isThere ? newest([...yours.data.data, ...ours.data.data]) : []
  return (
    <section class="overview-part stack" aria-labelledby="errors">
      <div class="heading">
        <h2 id="errors">Recent errors</h2>
        <Link href="/dashboard/requests">Request log</Link>
      </div>
      {isThere ? (
        <Errors calls={calls} hasAny={hasAny} />
      ) : error ? (
        <Trouble error={error} onRetry={() => [yours, ours].forEach((query) => void query.refetch())} />
      ) : (
        <Skeleton lines={3} />
      )}
    </section>
  )
}

/** Sorts by id, which begins with the time. */
function newest(calls: RequestLine[]): RequestLine[] {
  return calls.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, shownMax)
}

function Errors({ calls, hasAny }: { calls: readonly RequestLine[]; hasAny: boolean }) {
  if (calls.length === 0) {
    return (
      <p class="note">
        {hasAny ? 'None among your last 1,000 requests.' : 'No requests yet.'} Requests with a status of 400
        or higher appear here with their request ID.
      </p>
    )
  }
  return (
    <ul class="errors">
      {calls.map(({ id, at, method, path, status, request_id }) => (
        <li key={id}>
          <Mark tone={toneOf(status)}>{String(status)}</Mark>
          <span class="errors-call">
            <code title={path}>
              {method} {path}
            </code>
          </span>
          <span class="errors-when">
            <Ago at={at} />
          </span>
          <span class="errors-id">
            <Link href={`/dashboard/requests?request_id=${encodeURIComponent(request_id)}`}>
              <span class="unseen">Request </span>
              {request_id}
            </Link>
            <CopyButton text={request_id} what="request ID" />
          </span>
        </li>
      ))}
    </ul>
  )
}
