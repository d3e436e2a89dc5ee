// Shows the signing secret of a webhook, which is visible only once.
import type { ComponentChildren } from 'preact'
import { SecretDialog } from '../parts/secret-dialog.tsx'

interface WebhookSecretProps {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function WebhookSecret({ title, secret, onClose, children }: WebhookSecretProps) {
  return (
    <SecretDialog title={title} secret={secret} what="signing secret" onClose={onClose}>
      {children}
      <p>
        Use it to verify that an event was sent by this service: anyone can post to your URL.{' '}
        <a href="/docs/webhooks#verify-signatures" target="_blank" rel="noopener">
          How to verify it in Node, Python, Go and PHP
        </a>{' '}
        (opens a new tab).
      </p>
    </SecretDialog>
  )
}
