// Opens a page in a new browser context for a test, and records its errors and its requests to other origins.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { patience } from '../patience.ts'
import type { Person } from './person.ts'

export interface Visit {
  readonly page: Page
  /** The page's requests to other origins. */
  readonly strangers: string[]
  /** Errors from the console, the Content-Security-Policy and scripts. */
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
