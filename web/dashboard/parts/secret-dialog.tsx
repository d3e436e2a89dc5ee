// A dialog that shows a secret once and makes sure that it is copied before the dialog closes.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CopyButton } from './copy.tsx'
import { OnceDialog } from './once-dialog.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly secret: string
  /** The kind of secret: `key`, `signing secret`. */
  readonly what: string
  readonly onClose: () => void
  /** More content. As a function, it receives the callback for when the secret was copied as part of that content. */
  readonly children?: ComponentChildren | ((onCopied: () => void) => ComponentChildren)
}

export function SecretDialog({ title, secret, what, onClose, children }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false)
  const onCopied = () => setCopied(true)
  return (
    <OnceDialog
      title={title}
      isKept={isCopied}
      question={`You have not copied the ${what}. It cannot be shown again after you close this.`}
      leave="Close without copying"
      onClose={onClose}
    >
      <p>This {what} is shown only once. Copy it now and store it securely.</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} onCopied={onCopied} />
      </p>
      {typeof children === 'function' ? children(onCopied) : children}
    </OnceDialog>
  )
}
