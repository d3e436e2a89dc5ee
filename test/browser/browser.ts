// In charge of the browser: the system's Chromium, cut off from everything but the server under test.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Without these Chromium calls home at every start; as root it runs only without its sandbox. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags })
}

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
): Promise<Visit> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
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
