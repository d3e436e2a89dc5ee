// Redelivers all events that failed since a given time.
import { useId, useState } from 'preact/hooks'
import type { Webhook } from '../../account-api.ts'
import { nowMs } from '../../scripts/local-time.ts'
import { Confirm } from '../parts/dialog.tsx'
import { faultOf } from '../parts/field.tsx'
import { say } from '../parts/say.ts'
import { useHasFailed, useRedeliverFailed } from './webhook-data.ts'
import { findMoment, redeliveredInWords, sinceAtFirst } from './webhook-since.ts'

export function RedeliverFailed({ webhook }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false)
  const hasFailed = useHasFailed(String(webhook.id))
  if (!hasFailed && !isAsking) return null
  if (webhook.status === 'disabled') {
    return <span class="note">Activate the webhook to redeliver failed events.</span>
  }
  return (
    <>
      <button type="button" class="button quiet small" onClick={() => setAsking(true)}>
        Redeliver failed events…
      </button>
      {isAsking && <AskSince id={String(webhook.id)} onClose={() => setAsking(false)} />}
    </>
  )
}

function AskSince({ id, onClose }: { id: string; onClose: () => void }) {
  const field = useId()
  const [since, setSince] = useState(() => sinceAtFirst(nowMs()))
  const redeliver = useRedeliverFailed(id, (count) => {
    say(redeliveredInWords(count))
    onClose()
  })
  const confirm = () => {
    const moment = findMoment(since)
    if (moment !== undefined) redeliver.mutate(moment)
  }
  const wrong = faultOf(redeliver.error, ['since'])
  return (
    <Confirm
      title="Redeliver failed events?"
      action="Redeliver"
      isBusy={redeliver.isPending}
      error={redeliver.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        Every event recorded since this time whose delivery failed is sent again, except tests. Newer events
        of the same watches wait until these are delivered.
      </p>
      <div class="field">
        <label for={field}>Since, in your time zone</label>
        <input
          id={field}
          type="datetime-local"
          required
          value={since}
          {...(wrong !== undefined && { 'aria-invalid': 'true' as const })}
          onInput={(event) => setSince(event.currentTarget.value)}
        />
      </div>
    </Confirm>
  )
}
