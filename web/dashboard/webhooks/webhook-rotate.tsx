// Rotates the signing secret of a webhook: asks for confirmation, then shows the new secret once.
import { useState } from 'preact/hooks'
import type { WebhookWithSecret } from '../../account-api.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Moment } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'
import { useRotate } from './webhook-data.ts'
import { WebhookSecret } from './webhook-secret.tsx'

export function RotateSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const [made, setMade] = useState<WebhookWithSecret>()
  const rotate = useRotate(id, (webhook) => {
    say('The signing secret was rotated.')
    setMade(webhook)
  })
  if (made !== undefined) {
    const until = made.previous_secret_expires_at
    return (
      <WebhookSecret title="Your new signing secret" secret={made.secret} onClose={onClose}>
        {until !== null && (
          <p>
            Until <Moment at={until} /> events are signed with both secrets. Switch to the new secret before
            then.
          </p>
        )}
      </WebhookSecret>
    )
  }
  return (
    <Confirm
      title="Rotate the signing secret?"
      action="Rotate secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>
        This creates a new secret and shows it once. For 24 hours, events are signed with both the old and the
        new secret, so that you can switch without downtime.
      </p>
      <p>
        At most two secrets are valid: if you rotated within the last 24 hours, the oldest one stops working
        immediately.
      </p>
    </Confirm>
  )
}
