// The settings page: profile, password, two-factor authentication, sessions, and deleting the account.
import { useAccount } from '../account.ts'
import { Page } from '../page.tsx'
import { WithData } from '../parts/state.tsx'
import { DeleteAccount } from './settings-delete.tsx'
import { PasswordSettings } from './settings-password.tsx'
import { ProfileSettings } from './settings-profile.tsx'
import { SecondFactorSettings } from './settings-second-factor.tsx'
import { SessionSettings } from './settings-sessions.tsx'
import './settings.css'

export function SettingsPage() {
  const account = useAccount()
  return (
    <Page title="Settings">
      <WithData query={account} lines={8}>
        {(data) => (
          <>
            <ProfileSettings account={data} />
            <PasswordSettings email={data.email} />
            <SecondFactorSettings account={data} />
            <SessionSettings />
            <DeleteAccount account={data} />
          </>
        )}
      </WithData>
    </Page>
  )
}
