// The public pages in a real browser: whole without JavaScript, true to the catalogue, walked by keyboard. How they look
// in every light and width is in accessibility.test.ts.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hrefsOf } from '../api/explore-page.ts'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeWithChromium } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { visit } from './browser.ts'
import { launch } from './launch.ts'

interface Answer {
  readonly meta: { readonly total: number }
}

/** There is no end to questions, so there is one to walking. */
const pagesMax = 40
const queriedMax = 3

describeWithChromium('the pages', (executablePath) => {
  const engine = createEngine()
  const here = share(() => startTestServer(engine))
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executablePath)
  })
  afterAll(() => browser?.close())

  test('are whole without JavaScript, and every link between them leads somewhere', async () => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl, { javaScriptEnabled: false })
    for (const path of ['/', '/explore', '/docs', '/sign-up']) {
      await page.goto(server.baseUrl + path)
      expect([path, await page.locator('h1').isVisible()]).toEqual([path, true])
    }
    // What is sent is what a browser without JavaScript has, so that the rest is read as it is sent.
    const seen = new Set<string>()
    const pages = [await (await fetch(server.baseUrl)).text()]
    for (const [at, html] of pages.entries()) {
      if (at === pagesMax) break
      expect(html.match(/<h1[ >]/g)).toHaveLength(1)
      for (const href of hrefsOf(html).filter((one) => one.startsWith('/'))) {
        const target = href.split('#')[0] ?? ''
        // The explorer has a page for every question; those that its own pages lead to are walked in test/api/explore.
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

  test('show the true figures of this instance', async () => {
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

  test('tell of every plan what it has and costs', async () => {
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
  ])('tell at %s what the tables of the code have', async (path, words) => {
    const server = here()
    const { page } = await visit(browser, server.baseUrl + path)
    const text = await page.locator('main').innerText()
    expect(text).not.toContain('`')
    for (const word of words) expect(text).toContain(word)
  })

  test('filter the catalogue as one types, and keep the question in the address', async () => {
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

  test('of the explorer change in place, and go back to where one was', async () => {
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

  test('can be walked by keyboard, with the focus in sight', async () => {
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
