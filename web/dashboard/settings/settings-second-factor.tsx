// The two-factor settings: shows whether two-factor authentication is on, turns it on and off, and renews backup codes.
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

/** The response of POST /api/auth/two-factor/enable. */
interface Draft {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** The dialog that is open. */
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
        Two-factor authentication
      </h2>
      <div class="stack">
        <p>{isOn ? <Mark tone="good">On</Mark> : <Mark tone="ended">Off</Mark>}</p>
        <p>
          {isOn
            ? 'Signing in requires your password and a code from your authenticator app.'
            : 'Require a code from an authenticator app, so that a stolen password alone is not enough.'}
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
          title="Turn on two-factor authentication"
          action="Continue"
          path="/two-factor/enable"
          onDone={(draft) => onStep({ at: 'scanning', draft })}
          onClose={onClose}
        >
          <p>You need an authenticator app on your phone, or a password manager that generates codes.</p>
        </AskPassword>
      )
    case 'scanning':
      return (
        <ScanSecret
          totpUri={step.draft.totpURI}
          onDone={async () => {
            await refresh()
            say('Two-factor authentication is on.')
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
          <p>Your current codes stop working immediately.</p>
        </AskPassword>
      )
    case 'turning-off':
      return (
        <AskPassword
          title="Turn off two-factor authentication?"
          action="Turn it off"
          isDangerous
          path="/two-factor/disable"
          onDone={async () => {
            await refresh()
            say('Two-factor authentication is off.')
            onClose()
          }}
          onClose={onClose}
        >
          <p>Your password alone will be enough to sign in. Your backup codes stop working too.</p>
        </AskPassword>
      )
  }
}

/** Refetches the account and the sessions: changing two-factor authentication replaces the current session. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: kept.account }),
      client.invalidateQueries({ queryKey: kept.sessions }),
    ])
}
