// In charge of a visit in a test: a page of its own, and all that it complained of or asked of others.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { patience } from '../patience.ts'
import type { Person } from './person.ts'

export interface Visit {
  readonly page: Page
  /** What the page asked of anyone but its own origin. */
  readonly strangers: string[]
  /** Errors of the console, the policy and the scripts. */
  readonly complaints: string[]
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  who?: Person,
): Promise<Visit> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  await who?.enter(context)
  context.setDefaultTimeout(patience.timeout)
  const page = await context.newPage()
  const strangers: string[] = []
  const complaints: string[] = []
  const { origin } = new URL(url)
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.protocol !== 'data:' && target.origin !== origin) strangers.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, strangers, complaints }
}
