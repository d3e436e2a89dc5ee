// In charge of the second factor: whether it is on, and turning it on and off; the codes for when the phone is lost.
import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AccountOverview } from '../../account-api.ts'
import { kept } from '../account.ts'
import { useLostFocus } from '../parts/lost-focus.ts'
import { Mark } from '../parts/mark.tsx'
import { say } from '../parts/say.ts'
import { AskPassword } from './settings-ask-password.tsx'
import { BackupCodes } from './settings-backup-codes.tsx'
import { ScanSecret } from './settings-scan-secret.tsx'

/** What POST /api/auth/two-factor/enable answers. */
interface Draft {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Which dialog is open. */
type Step =
  | { readonly at: 'closed' | 'turning-on' | 'turning-off' | 'renewing' }
  | { readonly at: 'scanning'; readonly draft: Draft }
  | { readonly at: 'codes'; readonly codes: readonly string[] }

const closed: Step = { at: 'closed' }

export function SecondFactorSettings({ account }: { account: AccountOverview }) {
  const [step, setStep] = useState<Step>(closed)
  const heading = useLostFocus<HTMLHeadingElement>()
  const { has_second_factor: isOn } = account
  const close = () => {
    setStep(closed)
    heading.settle()
  }
  return (
    <section class="setting" aria-labelledby="settings-second-factor">
      <h2 id="settings-second-factor" ref={heading.ref} tabIndex={-1}>
        Second factor
      </h2>
      <div class="stack">
        <p>{isOn ? <Mark tone="good">On</Mark> : <Mark tone="ended">Off</Mark>}</p>
        <p>
          {isOn
            ? 'After the password, signing in asks for a code of your authenticator.'
            : 'With an authenticator on your phone, a stolen password alone lets nobody in.'}
        </p>
        <p class="actions">
          {isOn ? (
            <>
              <button type="button" class="button quiet" onClick={() => setStep({ at: 'renewing' })}>
                New backup codes
              </button>
              <button type="button" class="button danger" onClick={() => setStep({ at: 'turning-off' })}>
                Turn it off
              </button>
            </>
          ) : (
            <button type="button" class="button quiet" onClick={() => setStep({ at: 'turning-on' })}>
              Turn it on
            </button>
          )}
        </p>
      </div>
      <StepDialog step={step} email={account.email} onStep={setStep} onClose={close} />
    </section>
  )
}

interface StepDialogProps {
  readonly step: Step
  readonly email: string
  readonly onStep: (step: Step) => void
  readonly onClose: () => void
}

function StepDialog({ step, email, onStep, onClose }: StepDialogProps) {
  const refresh = useRefresh()
  switch (step.at) {
    case 'closed':
      return null
    case 'turning-on':
      return (
        <AskPassword<Draft>
          title="Turn the second factor on"
          action="Continue"
          path="/two-factor/enable"
          onDone={(draft) => onStep({ at: 'scanning', draft })}
          onClose={onClose}
        >
          <p>You need an authenticator: an app on your phone, or a password manager that shows codes.</p>
        </AskPassword>
      )
    case 'scanning':
      return (
        <ScanSecret
          totpUri={step.draft.totpURI}
          onDone={async () => {
            await refresh()
            say('The second factor is on.')
            onStep({ at: 'codes', codes: step.draft.backupCodes })
          }}
          onClose={onClose}
        />
      )
    case 'codes':
      return <BackupCodes codes={step.codes} email={email} onClose={onClose} />
    case 'renewing':
      return (
        <AskPassword<{ backupCodes: readonly string[] }>
          title="Create new backup codes"
          action="Create new codes"
          path="/two-factor/generate-backup-codes"
          onDone={({ backupCodes }) => onStep({ at: 'codes', codes: backupCodes })}
          onClose={onClose}
        >
          <p>The codes you have now stop working at once.</p>
        </AskPassword>
      )
    case 'turning-off':
      return (
        <AskPassword
          title="Turn the second factor off?"
          action="Turn it off"
          isDangerous
          path="/two-factor/disable"
          onDone={async () => {
            await refresh()
            say('The second factor is off.')
            onClose()
          }}
          onClose={onClose}
        >
          <p>Whoever has your password can then sign in. The backup codes stop working too.</p>
        </AskPassword>
      )
  }
}

/** The session is another one after the second factor was changed. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: kept.account }),
      client.invalidateQueries({ queryKey: kept.sessions }),
    ])
}
