// The overview page: today's quota, the requests of the last 30 days, recent errors and keys; for a new account also
// the first key and the next steps.
import { start, useAccount } from '../account.ts'
import { Page } from '../page.tsx'
import { WithData } from '../parts/state.tsx'
import { FirstKey, useFirstKey } from './first-key.tsx'
import { OverviewErrors } from './overview-errors.tsx'
import { OverviewKeys } from './overview-keys.tsx'
import { OverviewSteps } from './overview-steps.tsx'
import { OverviewToday } from './overview-today.tsx'
import { hasRequests } from './status-classes.ts'
import { UsageChart } from './usage-chart.tsx'
import './overview.css'

export function OverviewPage() {
  const account = useAccount()
  const first = useFirstKey()
  const hasAny = hasRequests(account.data?.usage.days ?? [])
  return (
    <Page title="Overview" lede={first.made ? `Welcome, ${start.name}. Your account is ready.` : undefined}>
      <FirstKey first={first} />
      <WithData query={account} lines={10}>
        {({ plan, usage }) => (
          <>
            <OverviewToday plan={plan} usage={usage} />
            <UsageChart days={usage.days} />
          </>
        )}
      </WithData>
      <OverviewErrors hasAny={hasAny} />
      <div class="overview-pair overview-part">
        <OverviewKeys />
        {account.data && <OverviewSteps account={account.data} isKeyShown={!!first.made} />}
      </div>
    </Page>
  )
}
