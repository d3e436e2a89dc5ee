// In charge of deleting the account: what goes with it, and asking until it cannot be a slip.
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AccountOverview } from '../../account-api.ts'
import { forgetKey } from '../../scripts/kept-key.ts'
import { ask, Refusal } from '../ask.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Field, textsOf } from '../parts/field.tsx'
import { secretOf } from './settings-form.tsx'

export function DeleteAccount({ account }: { account: AccountOverview }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <section class="setting" aria-labelledby="settings-delete">
      <h2 id="settings-delete">Delete the account</h2>
      <div class="stack">
        <p>
          Everything that is the account’s own goes with it, and cannot be brought back: its keys, its
          webhooks and their deliveries, its request log, its use and its plan.
        </p>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          Delete the account…
        </button>
      </div>
      {isAsking && <DeleteDialog account={account} onClose={() => setAsking(false)} />}
    </section>
  )
}

const fields = ['email', 'password', 'code']

function DeleteDialog({ account, onClose }: { account: AccountOverview; onClose: () => void }) {
  const { email, has_second_factor } = account
  const deleting = useDeleting(account)
  const { error } = deleting
  return (
    <Confirm
      title="Delete the account for good?"
      action="Delete the account"
      isDangerous
      // After that the page is left: a second click would ask for what is not there any more.
      isBusy={deleting.isPending || deleting.isSuccess}
      error={error}
      fields={fields}
      onConfirm={(form) => deleting.mutate(form)}
      onClose={onClose}
    >
      <p>From this moment:</p>
      <ul class="setting-list">
        <li>every key is refused</li>
        <li>no webhook is sent, and the deliveries are forgotten</li>
        <li>the request log and the record of use are gone</li>
        <li>you are signed out everywhere</li>
      </ul>
      <Field
        name="email"
        label={`Type ${email} to go on`}
        autoComplete="off"
        spellcheck={false}
        required
        autoFocus
        error={error}
      />
      <Field
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        error={error}
      />
      {has_second_factor && (
        <Field
          name="code"
          label="The code of your authenticator"
          hint="Or one of your backup codes."
          autoComplete="one-time-code"
          required
          error={error}
        />
      )}
    </Confirm>
  )
}

function useDeleting({ email, has_second_factor }: AccountOverview) {
  return useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const { email: typed = '', code = '' } = textsOf(form)
      if (typed.toLowerCase() !== email.toLowerCase()) {
        throw new Refusal(0, '', { email: [`This is not ${email}.`] })
      }
      const password = secretOf(form, 'password')
      await ask('DELETE', '/api/account', has_second_factor ? { password, code } : { password })
    },
    onSuccess: () => {
      forgetKey()
      location.assign('/')
    },
  })
}
