// The page that edits a webhook.
import type { Webhook } from '../../account-api.ts'
import { Page } from '../page.tsx'
import { say } from '../parts/say.ts'
import { navigate } from '../router.tsx'
import { useChange } from './webhook-data.ts'
import { WebhookForm } from './webhook-form.tsx'

export function EditWebhook({ webhook }: { webhook: Webhook }) {
  const href = `/dashboard/webhooks/${webhook.id}`
  const change = useChange(String(webhook.id), () => {
    say('Your changes were saved.')
    navigate(href, { replace: true })
  })
  return (
    <Page
      title={`Edit webhook ${webhook.id}`}
      lede="Waiting events are sent to the new URL too. The signing secret stays the same."
    >
      <WebhookForm
        before={webhook}
        action="Save changes"
        isBusy={change.isPending}
        error={change.error}
        backHref={href}
        onSave={change.mutate}
      />
    </Page>
  )
}
