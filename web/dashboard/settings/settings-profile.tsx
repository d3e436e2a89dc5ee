// In charge of who one is: the name, which may be changed, and the email, which may not.
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
  ? 'An email with a link is on its way to you.'
  : 'A link lies in the outbox of the service: ask whoever runs it to give it to you.'

export function ProfileSettings({ account }: { account: AccountOverview }) {
  const client = useQueryClient()
  const naming = useMutation({
    mutationFn: (name: string) => askData<AccountOverview>('PATCH', '/api/account', { name }),
    onSuccess: (changed) => {
      client.setQueryData(kept.account, changed)
      say('Your name is saved.')
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
            hint="It stands in this dashboard, and operators see it."
            defaultValue={account.name}
            autoComplete="name"
            maxLength={nameMaxLength}
            required
            error={naming.error}
          />
          <FormTrouble error={naming.error} fields={['name']} />
          <BusyButton class="button quiet" isBusy={naming.isPending}>
            Save the name
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
                {start.sendsMail ? 'Send me a link to confirm it' : 'Ask for a link to confirm it'}
              </BusyButton>
            )}
          </div>
          <FormTrouble error={sending.error} />
          {!email_verified && !start.sendsMail && (
            <p class="note">
              This service has no mail server, so nothing is sent to you: a link you ask for lies in the
              outbox of the service, and whoever runs it can give it to you. Everything works without it.
            </p>
          )}
          <p class="note">
            It cannot be changed: the account is known by it
            {start.sendsMail && ', and links to choose a password are sent to it'}. For another one, sign up
            anew.
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
