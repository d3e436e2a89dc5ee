// Shows the secret for an authenticator app, as a QR code and as text, and verifies the first code.
import { useMutation } from '@tanstack/preact-query'
import { ask } from '../ask.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Field, textsOf } from '../parts/field.tsx'
import { saidOf } from './settings-form.tsx'
import { QrCode } from './settings-qr-code.tsx'
import { secretIn } from './settings-totp-uri.ts'

interface ScanSecretProps {
  readonly totpUri: string
  readonly onDone: () => unknown
  readonly onClose: () => void
}

export function ScanSecret({ totpUri, onDone, onClose }: ScanSecretProps) {
  const verifying = useMutation({
    mutationFn: (form: HTMLFormElement) => {
      const { code = '' } = textsOf(form)
      return ask('POST', '/api/auth/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') })
    },
    onSuccess: onDone,
    // Select the wrong code, so that the user can type the next one at once.
    onError: (_, form) => form.querySelector('input')?.select(),
  })
  const error = saidOf(verifying.error, 'code')
  const secret = secretIn(totpUri)
  return (
    <Confirm
      title="Scan this with your authenticator"
      action="Turn it on"
      isBusy={verifying.isPending}
      error={error}
      fields={['code']}
      onConfirm={(form) => verifying.mutate(form)}
      onClose={onClose}
    >
      <QrCode text={totpUri} label="QR code of the secret below" />
      <p>Or enter this secret in the app:</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret.replaceAll(' ', '')} what="secret" />
      </p>
      <Field
        name="code"
        label="The code it shows now"
        hint="Six digits. They change every 30 seconds."
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        required
        autoFocus
        error={error}
      />
    </Confirm>
  )
}
