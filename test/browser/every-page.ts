// The list of pages to check: the path of each and the user who sees it.
import { docsEntries } from '../../web/pages/docs/docs-pages.ts'
import { isNightly } from '../depth.ts'
import type { House } from './house.ts'
import type { Person } from './person.ts'

export interface SeenPage {
  /** A name that is valid as a file name. */
  readonly name: string
  readonly path: string
  readonly who: Person
  /** The HTTP status of the page, if it is not 200. */
  readonly status?: number
  /** The button that opens the dialog to check. */
  readonly press?: string
  /** What is typed into the search field, to check the suggestions below it. */
  readonly typed?: string
  /** Whether another page is almost alike: all rules of axe run on this one only at night. */
  readonly isTwin?: boolean
}

/** Together they have every part that docs are made of. */
const docsWithAllParts = ['getting-started.md', 'reference.md', 'filters.md', 'webhooks.md']

export async function everyPage({ ada, newcomer, operator, nobody }: House): Promise<SeenPage[]> {
  const webhooks = (await ada.ask('GET', '/api/account/webhooks')).data
  const { id } = webhooks[0]
  const [delivery] = (await ada.ask('GET', `/api/account/webhooks/${id}/deliveries`)).data
  const page = (who: Person, name: string, path: string, status?: number): SeenPage => ({
    name,
    path,
    who,
    ...(status !== undefined && { status }),
  })
  const dialog = (who: Person, name: string, path: string, press: string): SeenPage => ({
    name,
    path,
    who,
    press,
  })
  return [
    page(nobody, 'landing', '/'),
    { ...page(nobody, 'landing-filtered', '/?q=blue'), isTwin: true },
    { ...page(nobody, 'landing-suggestions', '/'), typed: 'omega' },
    page(nobody, 'status', '/status'),
    page(nobody, 'not-found', '/nowhere', 404),
    page(nobody, 'explore', '/explore'),
    page(nobody, 'explore-filtered', '/explore?spec[dial_color][]=blue&spec[water_resistance][gte]=330+ft'),
    page(nobody, 'explore-nothing', '/explore?q=zzzz'),
    page(nobody, 'explore-invalid', '/explore?per_page=1000', 422),
    page(nobody, 'brands', '/explore/brands'),
    page(nobody, 'brand', '/explore/brands/1'),
    page(nobody, 'watch', '/explore/watches/1'),
    page(ada, 'watch-pro', '/explore/watches/1'),
    page(nobody, 'compare', '/explore/compare?ids=1,2,3'),
    page(nobody, 'compare-nothing', '/explore/compare', 422),
    page(nobody, 'no-such-watch', '/explore/watches/999999', 404),
    page(nobody, 'no-such-brand', '/explore/brands/nobody', 404),
    page(nobody, 'sign-up', '/sign-up'),
    page(nobody, 'sign-in', '/sign-in'),
    page(nobody, 'forgot-password', '/forgot-password'),
    page(ada, 'sign-out', '/sign-out'),
    page(nobody, 'dead-link', '/reset-password?token=x', 410),
    ...docsEntries.map(({ file, path }) => ({
      ...page(nobody, `docs-${file.replace(/\.md$/, '')}`, path),
      // They have one layout, and one renderer of Markdown.
      isTwin: !docsWithAllParts.includes(file),
    })),
    // Thousands of elements, of which only the try-it forms differ from those of visitors.
    ...(isNightly ? [page(ada, 'docs-reference-signed-in', '/docs/reference')] : []),
    { ...page(ada, 'docs-pagination-signed-in', '/docs/pagination'), isTwin: true },
    page(newcomer, 'dashboard-new', '/dashboard'),
    page(ada, 'dashboard', '/dashboard'),
    page(ada, 'keys', '/dashboard/keys'),
    page(newcomer, 'requests-empty', '/dashboard/requests'),
    page(ada, 'requests', '/dashboard/requests'),
    page(newcomer, 'webhooks-free', '/dashboard/webhooks'),
    page(ada, 'webhooks', '/dashboard/webhooks'),
    page(ada, 'webhook', `/dashboard/webhooks/${id}`),
    page(ada, 'delivery', `/dashboard/webhooks/${id}/deliveries/${delivery.id}`),
    page(ada, 'webhook-create', '/dashboard/webhooks?new'),
    page(ada, 'webhook-edit', `/dashboard/webhooks/${id}?edit`),
    page(ada, 'plan', '/dashboard/plan'),
    page(newcomer, 'plan-waiting', '/dashboard/plan'),
    page(ada, 'settings', '/dashboard/settings'),
    page(operator, 'plan-requests', '/dashboard/operator/plan-requests'),
    page(ada, 'dashboard-nowhere', '/dashboard/nowhere'),
    dialog(ada, 'key-create', '/dashboard/keys', 'Create key'),
    dialog(ada, 'key-roll', '/dashboard/keys', 'Roll Production'),
    dialog(ada, 'key-revoke', '/dashboard/keys', 'Revoke Production'),
    dialog(ada, 'webhook-rotate', `/dashboard/webhooks/${id}`, 'Rotate secret'),
    dialog(ada, 'webhook-delete', `/dashboard/webhooks/${id}`, 'Delete'),
    dialog(ada, 'plan-ask', '/dashboard/plan', 'Request Platinum'),
    dialog(ada, 'second-factor', '/dashboard/settings', 'Turn it on'),
    dialog(ada, 'account-delete', '/dashboard/settings', 'Delete the account…'),
    dialog(
      operator,
      'plan-grant',
      '/dashboard/operator/plan-requests',
      'Grant the request of nora@example.com',
    ),
  ]
}
