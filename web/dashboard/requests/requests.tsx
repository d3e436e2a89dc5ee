// The request log: the account's last 1,000 requests, with filters in the URL. New requests appear by polling, which
// pauses while a request is expanded.
import { useRef, useState } from 'preact/hooks'
import { Page } from '../page.tsx'
import { BusyButton } from '../parts/busy-button.tsx'
import { Skeleton, Trouble } from '../parts/state.tsx'
import { navigate, usePlace } from '../router.tsx'
import { type CallFilters, filtersOf, logAddress } from './call-filters.ts'
import { useCallPages } from './request-data.ts'
import { RequestsEmpty } from './requests-empty.tsx'
import { RequestsFilters } from './requests-filters.tsx'
import { RequestsTable } from './requests-table.tsx'
import './requests.css'

const followMs = 5_000

export function RequestsPage() {
  const filters = filtersOf(usePlace().query)
  const [isFollowing, setFollowing] = useState(true)
  const [open, setOpen] = useState<string>()
  const isMoving = isFollowing && open === undefined
  const { query, toNewest } = useCallPages(filters, isMoving && followMs)
  const end = useRef<HTMLParagraphElement>(null)
  const older = async () => {
    setFollowing(false)
    const { hasNextPage } = await query.fetchNextPage()
    // On the last page the button disappears, so the focus moves to the note in its place.
    if (!hasNextPage) setTimeout(() => end.current?.focus())
  }
  const change = (changed: CallFilters) => navigate(logAddress({ ...filters, ...changed }), { replace: true })
  const clear = () => navigate(logAddress({}), { replace: true })
  const calls = query.data?.pages.flatMap(({ data }) => data)
  const hasFilters = Object.keys(filters).length > 0
  return (
    <Page title="Requests" lede="Your last 1,000 requests, successful or not.">
      <RequestsFilters filters={filters} onChange={change} onClear={clear} />
      <Following
        isFollowing={isFollowing}
        isHeld={open !== undefined}
        onChange={(follows) => {
          setFollowing(follows)
          if (follows) toNewest()
        }}
      />
      {query.error !== null && <Trouble error={query.error} onRetry={() => void query.refetch()} />}
      {calls === undefined ? (
        query.error === null && <Skeleton lines={8} />
      ) : calls.length === 0 ? (
        query.error === null && <RequestsEmpty hasFilters={hasFilters} onClear={clear} />
      ) : (
        <>
          <RequestsTable calls={calls} open={open} onOpen={setOpen} />
          {query.hasNextPage ? (
            <BusyButton class="button quiet" isBusy={query.isFetchingNextPage} onClick={older}>
              Older
            </BusyButton>
          ) : (
            <p class="note" ref={end} tabIndex={-1}>
              {calls.length === 1
                ? 'This is the only request.'
                : `These are all ${calls.length.toLocaleString()} requests.`}
            </p>
          )}
        </>
      )}
    </Page>
  )
}

interface FollowingProps {
  readonly isFollowing: boolean
  /** Whether polling is paused because a request is expanded. */
  readonly isHeld: boolean
  readonly onChange: (follows: boolean) => void
}

function Following({ isFollowing, isHeld, onChange }: FollowingProps) {
  return (
    <p class="follow">
      <label class="follow-label">
        <input
          class="follow-switch"
          type="checkbox"
          checked={isFollowing}
          onChange={(event: Event) => onChange((event.currentTarget as HTMLInputElement).checked)}
        />
        Follow new requests
      </label>
      <span class="note">
        {!isFollowing ? 'Paused.' : isHeld ? 'Paused while a request is open.' : 'Every 5 seconds.'}
      </span>
    </p>
  )
}
