// Tests the scripts of the public pages in a real browser: copy buttons, the filter of the front page, calls from the
// API reference.
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeWithChromium } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { visit } from './browser.ts'
import { launchOnce } from './launch.ts'

const saidMs = 2_000
const dayMs = 86_400_000

describeWithChromium('the scripts of the public pages', (executablePath) => {
  const engine = createEngine()
  const here = share(() => startTestServer(engine))
  let browser: Browser
  beforeAll(async () => {
    browser = await launchOnce(executablePath)
  })

  test('make a copy button confirm the copy for 2 seconds after each press', async () => {
    const { page } = await visit(browser, here().baseUrl)
    await expectCopies(page, page.locator('figure.code'))
  })

  test('announce only the number of watches that the filter finds', async () => {
    const { page } = await visit(browser, here().baseUrl)
    await page.getByLabel('Water resistance from').fill('300 m')
    await page.waitForURL(/water_resistance/)
    const said = page.locator('main').getByRole('status').filter({ hasText: /watch/ })
    await expect.poll(() => said.textContent()).toBe(await page.locator('#live-results .count').innerText())
    expect(await page.locator('[aria-live] .watches, [role=status] .watches').count()).toBe(0)
  })

  test('apply what was typed into the filter before they were loaded', async () => {
    const { page } = await visit(browser, here().baseUrl)
    const typed = Promise.withResolvers<void>()
    await page.route(/\.js$/, async (route) => {
      await typed.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.getByLabel('Water resistance from').fill('300 m')
    typed.resolve()
    await page.waitForURL(/water_resistance/)
  })

  test('quote the curl command of the reference so that a shell sends the same request', async () => {
    const { page } = await visit(browser, `${here().baseUrl}/docs/reference`)
    const part = page.locator('details[data-try]').first()
    await part.locator('summary').click()
    await part.getByLabel('API key').fill("it's")
    await part.getByRole('button', { name: 'Send' }).click()
    const written = part.getByRole('group', { name: 'curl' })
    expect(await written.innerText()).toContain(`-H 'Authorization: Bearer it'\\''s'`)
    await expectCopies(page, part.locator('figure.code'))
  })
})

async function expectCopies(page: Page, blocks: Locator): Promise<void> {
  await page.clock.install({ time: 0 })
  await page.clock.pauseAt(dayMs)
  const button = blocks.getByRole('button', { name: /^Copy / }).last()
  const name = await button.textContent()
  const element = await button.elementHandle()
  await element?.evaluate((copies) => {
    const view = copies.ownerDocument.defaultView
    view.timesSaid = 0
    const heard = new view.MutationObserver(() => {
      view.timesSaid += 1
    })
    heard.observe(copies, { characterData: true, subtree: true })
  })
  for (const times of [1, 2]) {
    await element?.click()
    // The second press shows the same text, so wait for the text to be set again.
    await expect.poll(() => page.evaluate('window.timesSaid')).toBe(times)
    await page.clock.runFor(saidMs - 1)
    expect(await element?.innerText()).not.toMatch(/^Copy\b/)
  }
  await page.clock.runFor(1)
  expect(await element?.textContent()).toBe(name)
}
