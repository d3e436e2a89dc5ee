// Launches the installed Chromium without background traffic, and waits until its pages have loaded their data.
import { type Browser, chromium, type Page } from 'playwright-core'

/** Without these flags Chromium contacts its vendor at every start. As root it runs only without its sandbox. */
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

let launched: Promise<Browser> | undefined

/**
 * The Chromium of this process, which ends with it. Its start takes longer than most tests; each visit has a context of
 * its own.
 */
export function launchOnce(executablePath: string): Promise<Browser> {
  launched ??= launch(executablePath)
  return launched
}

/** Waits until no part of the page is still loading its data. */
export async function settle(page: Page): Promise<void> {
  const waiting = page.locator('.skeleton')
  await page.waitForLoadState('load')
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
}
