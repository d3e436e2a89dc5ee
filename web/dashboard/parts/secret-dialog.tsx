// In charge of a secret that can be seen once, and of its being copied before it goes from the screen.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CopyButton } from './copy.tsx'
import { OnceDialog } from './once-dialog.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly secret: string
  /** What it is: `key`, `signing secret`. */
  readonly what: string
  readonly onClose: () => void
  /** Told whether the secret was copied with what it shows. */
  readonly children?: ComponentChildren | ((onCopied: () => void) => ComponentChildren)
}

export function SecretDialog({ title, secret, what, onClose, children }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false)
  const onCopied = () => setCopied(true)
  return (
    <OnceDialog
      title={title}
      isKept={isCopied}
      question={`You have not copied the ${what}. Once this is closed it cannot be shown again.`}
      leave="Close without copying"
      onClose={onClose}
    >
      <p>This {what} is shown once. Copy it now and keep it where your program finds it.</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} onCopied={onCopied} />
      </p>
      {typeof children === 'function' ? children(onCopied) : children}
    </OnceDialog>
  )
}
