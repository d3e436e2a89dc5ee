// In charge of the backup codes, which can be seen once: they are copied or saved before they go from the screen.
import { useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy.tsx'
import { OnceDialog } from '../parts/once-dialog.tsx'
import { say } from '../parts/say.ts'

interface BackupCodesProps {
  readonly codes: readonly string[]
  readonly email: string
  readonly onClose: () => void
}

const fileName = 'watchdata-backup-codes.txt'

export function BackupCodes({ codes, email, onClose }: BackupCodesProps) {
  const [isKept, setKept] = useState(false)
  return (
    <OnceDialog
      title="Your backup codes"
      isKept={isKept}
      question="You have kept none of the codes. Once this is closed they cannot be shown again, only created anew."
      leave="Close without keeping them"
      onClose={onClose}
    >
      <p>
        When your phone is lost, one of these lets you in instead of its code, each of them once. They are
        shown only now: keep them where your password is not.
      </p>
      <ul class="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <CopyButton text={codes.join('\n')} what="backup codes" onCopied={() => setKept(true)} />
        <button
          type="button"
          class="copy"
          onClick={() => {
            save(codes, email)
            say(`Saved as ${fileName}.`)
            setKept(true)
          }}
        >
          Download<span class="unseen"> backup codes</span>
        </button>
      </p>
    </OnceDialog>
  )
}

/** Made in the browser: the codes are not sent anywhere for it. */
function save(codes: readonly string[], email: string): void {
  const text = `Backup codes of ${email} at ${location.host}, each good once\n\n${codes.join('\n')}\n`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = fileName
  link.click()
  // The click has only begun the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
