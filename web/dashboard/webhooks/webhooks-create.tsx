// The page that creates a webhook.
import type { WebhookWithSecret } from '../../account-api.ts'
import { Page } from '../page.tsx'
import { say } from '../parts/say.ts'
import { useCreate } from './webhook-data.ts'
import { WebhookForm } from './webhook-form.tsx'

export function CreateWebhook({ onMade }: { onMade: (webhook: WebhookWithSecret) => void }) {
  const create = useCreate((webhook) => {
    say('The webhook was created.')
    onMade(webhook)
  })
  return (
    <Page
      title="Create a webhook"
      lede="Once created, it posts every selected change to your URL within seconds."
    >
      <WebhookForm
        action="Create webhook"
        isBusy={create.isPending}
        error={create.error}
        backHref="/dashboard/webhooks"
        onSave={create.mutate}
      />
    </Page>
  )
}
