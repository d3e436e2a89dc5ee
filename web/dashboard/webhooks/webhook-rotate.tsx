// In charge of giving a webhook a new signing secret: said first, done then, shown once.
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
    say('The webhook has a new secret.')
    setMade(webhook)
  })
  if (made !== undefined) {
    const until = made.previous_secret_expires_at
    return (
      <WebhookSecret title="Your new signing secret" secret={made.secret} onClose={onClose}>
        {until !== null && (
          <p>
            Until <Moment at={until} /> events are signed with both secrets: change it on your side before
            then, and nothing is missed.
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
        You get a new secret, shown once. For 24 hours events are signed with both, the new one and the one
        you have now, so that you can change it on your side without missing any.
      </p>
      <p>
        There are never more than two: if you have rotated within the last 24 hours, the oldest ends at once.
      </p>
    </Confirm>
  )
}
