// Shows the backup codes once, and makes sure that the user copies or downloads them before closing.
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
      question="You have not saved the codes. After you close this, you can only create new ones."
      leave="Close without saving"
      onClose={onClose}
    >
      <p>
        If you lose your phone, sign in with one of these codes instead. Each code works once. They are shown
        only now: store them separately from your password.
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

/** The file is created in the browser, so the codes are not sent anywhere. */
function save(codes: readonly string[], email: string): void {
  const text = `Backup codes for ${email} at ${location.host}. Each code works once.\n\n${codes.join('\n')}\n`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = fileName
  link.click()
  // The click only starts the download, so the URL must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
