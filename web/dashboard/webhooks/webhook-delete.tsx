// In charge of deleting a webhook, after saying what goes with it.
import type { Webhook } from '../../account-api.ts'
import { Confirm } from '../parts/dialog.tsx'
import { say } from '../parts/say.ts'
import { navigate } from '../router.tsx'
import { useDelete } from './webhook-data.ts'

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDelete(String(webhook.id), () => {
    say('The webhook is deleted.')
    navigate('/dashboard/webhooks', { replace: true })
  })
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete webhook"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code class="webhook-breaks">{webhook.endpoint_url}</code>. Its log, its
        secret and what waits to be sent are deleted with it. This cannot be undone; to stop for a while,
        pause it.
      </p>
    </Confirm>
  )
}
