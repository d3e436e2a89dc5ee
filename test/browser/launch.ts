// In charge of the system's Chromium: started cut off from everything but the service it looks at, and waited for.
import { type Browser, chromium, type Page } from 'playwright-core'

/** Without these Chromium calls home at every start; as root it runs only without its sandbox. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: chromiumFlags })
}

/** Until nothing on the page waits for its data any more. */
export async function settle(page: Page): Promise<void> {
  const waiting = page.locator('.skeleton')
  await page.waitForLoadState('load')
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
}
