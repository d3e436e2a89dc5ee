// The form that changes the password and, if the user wants, ends all other sessions.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { kept } from '../account.ts'
import { ask } from '../ask.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { Field, FormTrouble } from '../parts/field.tsx'
import { say } from '../parts/say.ts'
import { secretOf } from './settings-form.tsx'

const passwordMinLength = 10

interface Change {
  readonly currentPassword: string
  readonly newPassword: string
  readonly revokeOtherSessions: boolean
}

export function PasswordSettings({ email }: { email: string }) {
  const client = useQueryClient()
  const changing = useMutation({
    mutationFn: ({ change }: { change: Change; form: HTMLFormElement }) =>
      ask('POST', '/api/auth/change-password', change),
    onSuccess: async (_answer, { change, form }) => {
      form.reset()
      await client.invalidateQueries({ queryKey: kept.sessions })
      const ended = change.revokeOtherSessions ? ' All other sessions were ended.' : ''
      say(`Your password was changed.${ended}`)
    },
  })
  const { error } = changing
  return (
    <section class="setting" aria-labelledby="settings-password">
      <h2 id="settings-password">Password</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          changing.mutate({ change: read(form), form })
        }}
      >
        <Field
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          error={error}
        />
        <Field
          name="newPassword"
          label="New password"
          hint={`At least ${passwordMinLength} characters.`}
          type="password"
          autoComplete="new-password"
          required
          error={error}
        />
        <label class="setting-check">
          <input type="checkbox" name="revokeOtherSessions" defaultChecked />
          <span>Sign out everywhere else</span>
        </label>
        <FormTrouble error={error} fields={['currentPassword', 'newPassword']} />
        <BusyButton class="button quiet" isBusy={changing.isPending}>
          Change password
        </BusyButton>
        {/* Tells password managers whose password is changed. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      </form>
    </section>
  )
}

function read(form: HTMLFormElement): Change {
  return {
    currentPassword: secretOf(form, 'currentPassword'),
    newPassword: secretOf(form, 'newPassword'),
    revokeOtherSessions: new FormData(form).has('revokeOtherSessions'),
  }
}
