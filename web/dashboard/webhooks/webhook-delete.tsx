// The dialog that deletes a webhook, after saying what is deleted with it.
import type { Webhook } from '../../account-api.ts'
import { Confirm } from '../parts/dialog.tsx'
import { say } from '../parts/say.ts'
import { navigate } from '../router.tsx'
import { useDelete } from './webhook-data.ts'

export function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDelete(String(webhook.id), () => {
    say('The webhook was deleted.')
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
        No more events are sent to <code class="webhook-breaks">{webhook.endpoint_url}</code>. Its delivery
        log, signing secret and waiting events are deleted. This cannot be undone. To stop it temporarily,
        pause it instead.
      </p>
    </Confirm>
  )
}
