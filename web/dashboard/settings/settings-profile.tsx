// The profile settings: the name, which can be changed, and the email, which cannot.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import type { AccountOverview } from '../../account-api.ts'
import { kept, start } from '../account.ts'
import { ask, askData } from '../ask.ts'
import { BusyButton } from '../parts/busy-button.tsx'
import { Field, FormTrouble, textsOf } from '../parts/field.tsx'
import { Mark } from '../parts/mark.tsx'
import { Moment } from '../parts/moment.tsx'
import { say } from '../parts/say.ts'

const nameMaxLength = 100
const sentText = start.sendsMail
  ? 'We sent you an email with a link.'
  : 'The link is in the outbox of the service. Ask the operator for it.'

export function ProfileSettings({ account }: { account: AccountOverview }) {
  const client = useQueryClient()
  const naming = useMutation({
    mutationFn: (name: string) => askData<AccountOverview>('PATCH', '/api/account', { name }),
    onSuccess: (changed) => {
      client.setQueryData(kept.account, changed)
      say('Your name was saved.')
    },
  })
  return (
    <section class="setting" aria-labelledby="settings-profile">
      <h2 id="settings-profile">Profile</h2>
      <div class="stack">
        <Email account={account} />
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            naming.mutate(textsOf(event.currentTarget).name ?? '')
          }}
        >
          <Field
            name="name"
            label="Name"
            hint="Shown in this dashboard and to operators."
            defaultValue={account.name}
            autoComplete="name"
            maxLength={nameMaxLength}
            required
            error={naming.error}
          />
          <FormTrouble error={naming.error} fields={['name']} />
          <BusyButton class="button quiet" isBusy={naming.isPending}>
            Save name
          </BusyButton>
        </form>
      </div>
    </section>
  )
}

function Email({ account }: { account: AccountOverview }) {
  const { email, email_verified, created_at } = account
  const sending = useMutation({
    mutationFn: () => ask('POST', '/api/auth/send-verification-email', { email }),
    onSuccess: () => say(sentText),
  })
  return (
    <dl class="setting-facts">
      <div>
        <dt>Email</dt>
        <dd>
          <div class="setting-email">
            <span>{email}</span>
            {email_verified ? <Mark tone="good">Confirmed</Mark> : <Mark tone="waiting">Not confirmed</Mark>}
            {!email_verified && (
              <BusyButton
                class="button quiet small"
                isBusy={sending.isPending}
                onClick={() => sending.mutate()}
              >
                {start.sendsMail ? 'Send confirmation link' : 'Request confirmation link'}
              </BusyButton>
            )}
          </div>
          <FormTrouble error={sending.error} />
          {!email_verified && !start.sendsMail && (
            <p class="note">
              This service has no mail server, so it cannot email you the link. A requested link is placed in
              the outbox of the service, where the operator can get it for you. You can use the service
              without confirming it.
            </p>
          )}
          <p class="note">
            The email address identifies your account and cannot be changed
            {start.sendsMail && '. Links to choose a new password are sent to it'}. To use another address,
            create a new account.
          </p>
        </dd>
      </div>
      <div>
        <dt>Account since</dt>
        <dd>
          <Moment at={created_at} />
        </dd>
      </div>
    </dl>
  )
}
