// Limits the JavaScript that a first visit loads, so that pages are usable on a slow connection.
import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { password } from './house.ts'
import { settle } from './launch.ts'
import type { Person } from './person.ts'

const kilobyte = 1_024

describeHouse('the gzipped JavaScript of a first visit', (here) => {
  test('to a public page is at most 60 KB', async () => {
    const paths = ['/', '/explore', '/explore/watches/1', '/docs', '/docs/reference']
    await expectLight(paths, 60, here().house.nobody)
  })

  test('to a page of the dashboard is at most 120 KB', async () => {
    const { ada } = here().house
    await ada.signUp('ada@example.com', 'Ada Lovelace', password)
    await expectLight(['/dashboard', '/dashboard/webhooks', '/dashboard/settings'], 120, ada)
  })

  async function expectLight(paths: readonly string[], maxKilobytes: number, who: Person): Promise<void> {
    const { house, browser } = here()
    const { page } = await visit(browser, `${house.baseUrl}/nowhere`, {}, who)
    // Each page is loaded as by a browser that has never been here.
    const session = await page.context().newCDPSession(page)
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    for (const path of paths) {
      const bytes = await weigh(page, house.baseUrl + path)
      expect({ path, bytes }).toEqual({ path, bytes: expect.toSatisfy(isWithin(maxKilobytes)) })
    }
  }
})

/** The total size of all scripts loaded by the page. */
async function weigh(page: Page, url: string): Promise<number> {
  const bodies: Promise<Buffer>[] = []
  const collect = (response: Response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body())
  }
  page.on('response', collect)
  await page.goto(url)
  await settle(page)
  await page.waitForLoadState('networkidle')
  page.off('response', collect)
  const scripts = await Promise.all(bodies)
  return scripts.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
}

/** Also fails if nothing was measured. */
function isWithin(maxKilobytes: number): (bytes: number) => boolean {
  return (bytes) => bytes > kilobyte / 2 && bytes <= maxKilobytes * kilobyte
}
