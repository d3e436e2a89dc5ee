// The empty state of the request log: why it is empty, and what to do.
import { curlOf } from '../../scripts/curl.ts'
import { start } from '../account.ts'
import { Code } from '../parts/copy.tsx'
import { Empty } from '../parts/state.tsx'
import { Link } from '../router.tsx'

const example = '/api/v1/watches?spec[dial_color]=blue&per_page=2'

export function RequestsEmpty({ hasFilters, onClear }: { hasFilters: boolean; onClear: () => void }) {
  if (hasFilters) {
    return (
      <Empty title="No matching requests">
        <p>None of your last 1,000 requests matches all filters.</p>
        <p>
          <button type="button" class="button quiet" onClick={onClear}>
            Show all requests
          </button>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title="No requests yet">
      <p>
        Every request with one of your keys is listed here with its path, status and duration. Send your first
        one with a key from <Link href="/dashboard/keys">your keys</Link>:
      </p>
      <Code label="First request" text={curlOf(start.baseUrl + example)} />
    </Empty>
  )
}
