// Lists the user's sessions and ends them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { SessionLine } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { useLostFocus } from '../parts/lost-focus.ts'
import { Mark } from '../parts/mark.tsx'
import { Ago } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'
import { Trouble, WithData } from '../parts/state.tsx'
import { describeUserAgent } from './settings-user-agent.ts'

const dayMs = 86_400_000

export function SessionSettings() {
  const sessions = useQuery({
    queryKey: kept.sessions,
    queryFn: () => ask<readonly SessionLine[]>('GET', '/api/auth/list-sessions'),
  })
  const heading = useLostFocus<HTMLHeadingElement>()
  return (
    <section class="setting" aria-labelledby="settings-sessions">
      <h2 id="settings-sessions" ref={heading.ref} tabIndex={-1}>
        Sessions
      </h2>
      <div class="stack">
        <p>
          The browsers where you are signed in. If you do not recognise one, end its session and change your
          password.
        </p>
        <WithData query={sessions}>
          {(data) => <SessionList sessions={data} onEnded={heading.settle} />}
        </WithData>
      </div>
    </section>
  )
}

interface SessionListProps {
  readonly sessions: readonly SessionLine[]
  readonly onEnded: () => void
}

function SessionList({ sessions, onEnded }: SessionListProps) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: kept.sessions })
  const ending = useMutation({
    mutationFn: ({ id }: SessionLine) => ask('POST', '/api/auth/revoke-session', { id }),
    onSettled: refresh,
    onSuccess: (_answer, { userAgent }) => {
      say(`The session of ${describeUserAgent(userAgent)} was ended.`)
      onEnded()
    },
  })
  const endingAll = useMutation({
    mutationFn: () => ask('POST', '/api/auth/revoke-other-sessions'),
    onSuccess: async () => {
      await refresh()
      say('All other sessions were ended.')
      setAsking(false)
      onEnded()
    },
  })
  const others = sessions.filter(({ current }) => !current).sort(newestFirst)
  const lines = [...sessions.filter(({ current }) => current), ...others]
  return (
    <>
      <ul class="session-list">
        {lines.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={ending.isPending && ending.variables.id === session.id}
            error={ending.variables?.id === session.id ? ending.error : undefined}
            onEnd={() => ending.mutate(session)}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <button type="button" class="button quiet" onClick={() => setAsking(true)}>
          End all others
        </button>
      )}
      {isAsking && (
        <Confirm
          title="End all other sessions?"
          action="End all others"
          isDangerous
          isBusy={endingAll.isPending}
          error={endingAll.error}
          onConfirm={() => endingAll.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>All other browsers have to sign in again. Your API keys keep working.</p>
        </Confirm>
      )}
    </>
  )
}

interface SessionRowProps {
  readonly session: SessionLine
  readonly isBusy: boolean
  readonly error: unknown
  readonly onEnd: () => void
}

function SessionRow({ session, isBusy, error, onEnd }: SessionRowProps) {
  const { current, userAgent, ipAddress, createdAt, updatedAt } = session
  const browser = describeUserAgent(userAgent)
  return (
    <li>
      <div>
        <p>
          <strong>{browser}</strong> {current && <Mark tone="good">This browser</Mark>}
        </p>
        <p class="note">
          {ipAddress !== null && ipAddress !== '' && <>From {ipAddress}, </>}signed in <Ago at={createdAt} />
          {!current && <LastSeen at={updatedAt} />}
        </p>
        {error ? <Trouble error={error} /> : null}
      </div>
      {!current && (
        <BusyButton class="button quiet small" isBusy={isBusy} onClick={onEnd}>
          End<span class="unseen"> the session of {browser}</span>
        </BusyButton>
      )}
    </li>
  )
}

/** The server updates this time at most once a day. */
function LastSeen({ at }: { at: string }) {
  if (nowMs() - Date.parse(at) < dayMs) return <>, seen within the last day</>
  return (
    <>
      , last seen <Ago at={at} />
    </>
  )
}

function newestFirst(one: SessionLine, other: SessionLine): number {
  return other.updatedAt.localeCompare(one.updatedAt)
}
