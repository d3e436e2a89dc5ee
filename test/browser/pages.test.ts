// The pages in a real browser: wide and narrow, light and dark, with and without JavaScript.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeWithChromium } from '../engines.ts'
import { launch, visit } from './browser.ts'

const paths = ['/', '/docs', '/dashboard', '/nowhere']
const looks = [375, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)

describeWithChromium('the pages', (executablePath) => {
  const engine = createEngine()
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(executablePath)
  })
  afterAll(() => browser?.close())

  test.each(looks)(
    'fit at $width px in the $colorScheme, complain of nothing and ask nobody else',
    async (look) => {
      const server = await startTestServer(engine)
      const { width, colorScheme } = look
      for (const path of paths) {
        const options = { viewport: { width, height: 800 }, colorScheme }
        const { page, strangers, complaints } = await visit(browser, server.baseUrl + path, options)
        const isMissing = path === '/nowhere'
        expect([path, strangers]).toEqual([path, []])
        expect([path, complaints.filter((text) => !(isMissing && text.includes('404')))]).toEqual([path, []])
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
        expect([path, overflow]).toEqual([path, 0])
        expect(await page.locator('h1').count()).toBe(1)
        const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        const lightness = Math.max(
          ...(String(background).match(/\d+(\.\d+)?/g) ?? []).slice(0, 3).map(Number),
        )
        expect([path, lightness > 128]).toEqual([path, colorScheme === 'light'])
      }
    },
  )

  test('are whole without JavaScript, and every link between them leads somewhere', async () => {
    const server = await startTestServer(engine)
    const seen = new Set<string>()
    const open = ['/']
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const { page } = await visit(browser, server.baseUrl + path, { javaScriptEnabled: false })
      const links = await page
        .locator('a[href^="/"]')
        .evaluateAll((anchors) => anchors.map((one) => one.getAttribute('href')))
      for (const link of links) {
        const target = (link ?? '').split('#')[0] ?? ''
        if (seen.has(target)) continue
        seen.add(target)
        const response = await fetch(server.baseUrl + target)
        expect([target, response.status]).toEqual([target, 200])
        if (response.headers.get('content-type')?.includes('text/html')) open.push(target)
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['/', '/docs', '/dashboard']))
  })

  test('show the true figures of this instance', async () => {
    const server = await startTestServer(engine)
    for (const path of ['/', '/dashboard']) {
      const { page } = await visit(browser, server.baseUrl + path)
      const text = await page.locator('main').innerText()
      expect(text).toContain(String(server.watches))
      expect(text).toContain(String(server.brands))
      expect(await page.content()).not.toContain(server.demoKey)
    }
  })

  test('tell of every plan what it has and costs', async () => {
    const server = await startTestServer(engine)
    for (const path of ['/', '/docs']) {
      const { page } = await visit(browser, server.baseUrl + path)
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

  test('list every setting and every error on the docs page', async () => {
    const server = await startTestServer(engine)
    const { page } = await visit(browser, `${server.baseUrl}/docs`)
    const text = await page.locator('main').innerText()
    expect(text).not.toContain('`')
    for (const word of [
      'DATA_DIR',
      'DATABASE_URL',
      'BASE_URL',
      'Unauthenticated.',
      'The given data was invalid.',
    ]) {
      expect(text).toContain(word)
    }
  })

  test('can be walked by keyboard, with the focus in sight', async () => {
    const server = await startTestServer(engine)
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
