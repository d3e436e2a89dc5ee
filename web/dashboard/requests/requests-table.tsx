// Shows the requests as a table. Each row can be expanded for all details; on a narrow screen the details also have the
// columns that do not fit.
import type { RequestLine } from '../../account-api.ts'
import { localTime, nowMs, utcTime } from '../../scripts/local-time.ts'
import { keyHint } from '../keys/key-data.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Mark, toneOf } from '../parts/mark.tsx'
import { RequestsDetails } from './requests-details.tsx'
import { durationText } from './requests-duration.ts'

interface TableProps {
  readonly calls: readonly RequestLine[]
  /** The id of the request that is expanded. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

export function RequestsTable({ calls, open, onOpen }: TableProps) {
  return (
    <table class="calls">
      <caption class="unseen">Requests, newest first</caption>
      <thead>
        <tr>
          <th scope="col" class="calls-time">
            Time
          </th>
          <th scope="col">Request, key and ID</th>
          <th scope="col" class="calls-status">
            Status
          </th>
          <th scope="col" class="calls-took numeric">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <Row
            key={call.id}
            call={call}
            isOpen={call.id === open}
            onToggle={() => onOpen(call.id === open ? undefined : call.id)}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  readonly call: RequestLine
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Row({ call, isOpen, onToggle }: RowProps) {
  const { at, method, path, status, duration_ms, key, request_id } = call
  return (
    <>
      <tr class={isOpen ? 'calls-open' : undefined}>
        <td class="calls-time">
          <time dateTime={at} title={`${localTime(at)} (${utcTime(at)})`}>
            {logTime(at)}
          </time>
        </td>
        <td class="calls-what">
          <button type="button" class="calls-call" title={path} aria-expanded={isOpen} onClick={onToggle}>
            <strong>{method}</strong> {path}
          </button>
          <span class="calls-about">
            <span title={key === null ? undefined : keyHint(key)}>{key?.name ?? 'Key no longer stored'}</span>
            <span class="calls-id">
              <code>{request_id}</code> <CopyButton text={request_id} what="request ID" />
            </span>
          </span>
        </td>
        <td class="calls-status">
          <Mark tone={toneOf(status)}>{String(status)}</Mark>
        </td>
        <td class="calls-took numeric">{durationText(duration_ms)}</td>
      </tr>
      {isOpen && (
        <tr class="calls-details">
          <td colSpan={4}>
            <RequestsDetails call={call} />
          </td>
        </tr>
      )}
    </>
  )
}

const timeOnly = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** Today's times with seconds; earlier ones with the date. */
function logTime(at: string): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date(nowMs()).toDateString()
  return (isToday ? timeOnly : dayAndTime).format(date)
}
