// Deletes the account: says what is deleted, and asks for the email, the password and a code so that it cannot
// happen by accident.
import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AccountOverview } from '../../account-api.ts'
import { deleteKey } from '../../scripts/stored-key.ts'
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
          This permanently deletes your keys, webhooks and their deliveries, request log, usage and plan. It
          cannot be undone.
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
      title="Permanently delete the account?"
      action="Delete the account"
      isDangerous
      // On success the browser leaves the page: a second click would delete an account that no longer exists.
      isBusy={deleting.isPending || deleting.isSuccess}
      error={error}
      fields={fields}
      onConfirm={(form) => deleting.mutate(form)}
      onClose={onClose}
    >
      <p>Effective immediately:</p>
      <ul class="setting-list">
        <li>all keys stop working</li>
        <li>webhooks stop, and their deliveries are deleted</li>
        <li>
          the request log and the usage history are deleted; only today’s count is kept until 00:00 UTC, under
          a hash of your email
        </li>
        <li>you are signed out everywhere</li>
      </ul>
      <Field
        name="email"
        label={`Type ${email} to confirm`}
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
          label="Code from your authenticator app"
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
        throw new Refusal(0, '', { email: [`This does not match ${email}.`] })
      }
      const password = secretOf(form, 'password')
      await ask('DELETE', '/api/account', has_second_factor ? { password, code } : { password })
    },
    onSuccess: () => {
      deleteKey()
      location.assign('/')
    },
  })
}
