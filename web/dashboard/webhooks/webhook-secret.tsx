// In charge of the signing secret of a webhook on the only occasion on which it can be seen.
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
        Anybody can post to your address: with this you can tell that an event is ours.{' '}
        <a href="/docs/webhooks#verify-it" target="_blank" rel="noopener">
          How to verify it in Node, Python, Go and PHP
        </a>{' '}
        (a new tab).
      </p>
    </SecretDialog>
  )
}
