// The frame of the app: its navigation, with a section for operators, and the routes from paths to pages.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { deleteKey } from '../scripts/stored-key.ts'
import { start, useKeptAccount } from './account.ts'
import { ask } from './ask.ts'
import { KeysPage } from './keys/keys.tsx'
import { PlanRequestsPage } from './operator/plan-requests.tsx'
import { useWaiting } from './operator/plan-requests-waiting.ts'
import { OverviewPage } from './overview/overview.tsx'
import { Page } from './page.tsx'
import { Said } from './parts/said.tsx'
import { PlanPage } from './plan/plan.tsx'
import { RequestsPage } from './requests/requests.tsx'
import { Link, usePlace } from './router.tsx'
import { SettingsPage } from './settings/settings.tsx'
import { DeliveryPage } from './webhooks/deliveries/delivery.tsx'
import { WebhookPage } from './webhooks/webhook.tsx'
import { WebhooksPage } from './webhooks/webhooks.tsx'

const own = [
  ['Overview', '/dashboard'],
  ['Keys', '/dashboard/keys'],
  ['Requests', '/dashboard/requests'],
  ['Webhooks', '/dashboard/webhooks'],
  ['Plan', '/dashboard/plan'],
  ['Settings', '/dashboard/settings'],
] as const

const planRequestsPath = '/dashboard/operator/plan-requests'
const operators = [['Plan requests', planRequestsPath]] as const

/** The capture groups of the pattern are passed to the page. */
const routes: readonly (readonly [RegExp, (...parts: string[]) => ComponentChildren])[] = [
  [/^\/dashboard$/, () => <OverviewPage />],
  [/^\/dashboard\/keys$/, () => <KeysPage />],
  [/^\/dashboard\/requests$/, () => <RequestsPage />],
  [/^\/dashboard\/webhooks$/, () => <WebhooksPage />],
  [/^\/dashboard\/webhooks\/(\d+)$/, (id = '') => <WebhookPage key={id} id={id} />],
  [
    /^\/dashboard\/webhooks\/(\d+)\/deliveries\/(\d+)$/,
    (id = '', delivery = '') => <DeliveryPage key={delivery} id={id} delivery={delivery} />,
  ],
  [/^\/dashboard\/plan$/, () => <PlanPage />],
  [/^\/dashboard\/settings$/, () => <SettingsPage />],
]

const operatorRoutes: typeof routes = [[/^\/dashboard\/operator\/plan-requests$/, () => <PlanRequestsPage />]]

export function App() {
  const { path } = usePlace()
  const isOperator = start.role === 'operator'
  useEffect(renewSession, [])
  return (
    <div class="app">
      <nav class="side" aria-label="Dashboard">
        <Who />
        <NavList entries={own} path={path} />
        {isOperator && (
          <>
            <h2 class="side-group">Operator</h2>
            <NavList entries={operators} path={path} notes={{ [planRequestsPath]: <WaitingCount /> }} />
          </>
        )}
        <form method="post" action="/sign-out" onSubmit={deleteKey}>
          <button type="submit" class="side-out">
            Sign out
          </button>
        </form>
      </nav>
      {pageAt(path, isOperator ? [...routes, ...operatorRoutes] : routes)}
      <Said />
    </div>
  )
}

/** Once a day, this request extends the session by a month and updates when it was last seen. */
function renewSession(): void {
  // An error is ignored: every page sends requests that report it.
  ask('GET', '/api/auth/get-session').catch(() => {})
}

/** Shows the name from page load until the account is fetched: the user may have changed it since. */
function Who() {
  const { data } = useKeptAccount()
  return (
    <p class="side-who">
      <strong>{data?.name ?? start.name}</strong>
      <span>{start.email}</span>
    </p>
  )
}

/** Only rendered for operators, so nobody else sends the request. */
function WaitingCount() {
  const count = useWaiting().data?.length ?? 0
  if (count === 0) return null
  return (
    <span class="waiting-count">
      {count}
      <span class="unseen"> waiting</span>
    </span>
  )
}

interface NavListProps {
  readonly entries: readonly (readonly [string, string])[]
  readonly path: string
  /** What is shown after the name, by href. */
  readonly notes?: Readonly<Record<string, ComponentChildren>>
}

function NavList({ entries, path, notes = {} }: NavListProps) {
  return (
    <ul>
      {entries.map(([name, href]) => (
        <li key={href}>
          <Link
            href={href}
            isCurrent={path === href || (href !== '/dashboard' && path.startsWith(`${href}/`))}
          >
            {name}
            {notes[href]}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function pageAt(path: string, all: typeof routes): ComponentChildren {
  for (const [pattern, show] of all) {
    const found = pattern.exec(path)
    if (found !== null) return show(...found.slice(1))
  }
  return (
    <Page title="This page does not exist">
      <p>
        The link may be outdated, or the URL mistyped. <Link href="/dashboard">Go to the overview</Link>
      </p>
    </Page>
  )
}
