// Tests the public pages in a real browser: they work without JavaScript, show what the catalogue holds and can be
// used by keyboard. Their look in each colour scheme and width is checked in accessibility.test.ts.
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hrefsOf } from '../api/explore-page.ts'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeWithChromium } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { visit } from './browser.ts'
import { launchOnce } from './launch.ts'

interface Answer {
  readonly meta: { readonly total: number }
}

/** There are unlimited queries, so the crawl has a limit. */
const pagesMax = 40
const queriedMax = 3

describeWithChromium('the pages', (executablePath) => {
  const engine = createEngine()
  const here = share(() => startTestServer(engine))
  let browser: Browser
  beforeAll(async () => {
    browser = await launchOnce(executablePath)
  })

  test('are complete without JavaScript, and no link between them is broken', async () => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl, { javaScriptEnabled: false })
    for (const path of ['/', '/explore', '/docs', '/sign-up']) {
      await page.goto(server.baseUrl + path)
      expect([path, await page.locator('h1').isVisible()]).toEqual([path, true])
    }
    // A browser without JavaScript shows the HTML as sent, so the remaining pages are checked as sent.
    const seen = new Set<string>()
    const pages = [await (await fetch(server.baseUrl)).text()]
    for (const [at, html] of pages.entries()) {
      if (at === pagesMax) break
      expect(html.match(/<h1[ >]/g)).toHaveLength(1)
      for (const href of hrefsOf(html).filter((one) => one.startsWith('/'))) {
        const target = href.split('#')[0] ?? ''
        // The explorer has a page for every query; the links of its own pages are followed in test/api/explore.
        if (seen.has(target) || (target.includes('?') && at >= queriedMax)) continue
        seen.add(target)
        const response = await fetch(server.baseUrl + target)
        const text = await response.text()
        expect([target, response.status]).toEqual([target, 200])
        const isPage = response.headers.get('content-type')?.includes('text/html')
        if (isPage && !target.includes('?') && !target.startsWith('/explore/watches/')) pages.push(text)
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['/docs', '/explore', '/sign-up', '/status']))
  })

  test('show the number of watches and brands of this instance', async () => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl)
    for (const path of ['/', '/status']) {
      await page.goto(server.baseUrl + path)
      const text = await page.locator('main').innerText()
      expect(text).toContain(String(server.watches))
      expect(text).toContain(String(server.brands))
      expect(await page.content()).not.toContain(server.demoKey)
    }
  })

  test('show every plan with its price', async () => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl)
    for (const path of ['/', '/docs/quotas']) {
      await page.goto(server.baseUrl + path)
      const table = page.getByRole('region', { name: 'Plans', exact: true })
      const plans = await table.locator('thead th').allInnerTexts()
      expect([path, plans]).toEqual([path, ['Plan', 'Free', 'Pro', 'Platinum']])
      const rows = await table.locator('tbody tr').allInnerTexts()
      expect([path, rows.find((row) => row.startsWith('Price per month'))?.match(/\$\d+/g)]).toEqual([
        path,
        ['$0', '$59', '$79'],
      ])
    }
  })

  test.each([
    ['/docs/settings', ['DATA_DIR', 'DATABASE_URL', 'BASE_URL']],
    ['/docs/errors', ['Unauthenticated.', 'The given data was invalid.']],
  ])('show at %s what the tables in the code contain', async (path, words) => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl + path)
    const text = await page.locator('main').innerText()
    expect(text).not.toContain('`')
    for (const word of words) expect(text).toContain(word)
  })

  test('filter the catalogue while typing, and keep the filter in the URL', async () => {
    const server = here()
    const { page, complaints } = await visit(browser, server.baseUrl)
    const ask = async (path: string) => ((await (await server.get(path)).json()) as Answer).meta.total
    await page.getByLabel('Water resistance from').fill('330 ft')
    await page.getByLabel('Dial color').selectOption('')
    const divers = await ask('/api/v1/watches?spec[water_resistance][gte]=10+bar')
    await page.locator('#live-results').getByText(`${divers} watches`, { exact: true }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('spec[water_resistance][gte]')).toBe('330 ft')
    await page.reload()
    await page.locator('#live-results').getByText(`${divers} watches`, { exact: true }).first().waitFor()
    expect(complaints).toEqual([])
  })

  test('of the explorer update without a reload, and the back button restores the previous list', async () => {
    const server = here()
    const { page, complaints } = await visit(browser, `${server.baseUrl}/explore`)
    await page.evaluate('window.isSamePage = true')
    const count = page.locator('#count')
    const first = await count.innerText()
    await page.locator('#facets a', { hasText: 'Titanium' }).first().click()
    await page.waitForURL(/Titanium/i)
    const second = await count.innerText()
    expect(second).not.toBe(first)
    await page.goBack()
    await page.getByText(first, { exact: true }).first().waitFor()
    await page.locator('input[type=search]').fill('speedmaster')
    await page.waitForURL(/q=speedmaster/)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    expect(await page.locator('#said').innerText()).toBe(await count.innerText())
    expect(complaints).toEqual([])
  })

  test('can be used by keyboard, with a visible focus', async () => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toMatch(/^#/)
    for (let step = 0; step < 10; step++) {
      await page.keyboard.press('Tab')
      const outline = await page.evaluate(
        '(() => { const style = getComputedStyle(document.activeElement); return style.outlineStyle + " " + style.boxShadow })()',
      )
      expect(outline).not.toBe('none none')
    }
  })
})
