// Tests the suggestions below the search fields of the home page and the explorer in a real browser: by keyboard, by
// mouse, for screen readers, and without JavaScript.
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../api/running-server.ts'
import { createEngine, describeWithChromium } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { visit } from './browser.ts'
import { launchOnce } from './launch.ts'

describeWithChromium('the suggestions below a search field', (executablePath) => {
  const engine = createEngine()
  const here = share(() => startTestServer(engine))
  let browser: Browser
  beforeAll(async () => {
    browser = await launchOnce(executablePath)
  })

  test('can be chosen with the arrow keys, opened with Enter, and closed with Escape', async () => {
    const { page } = await visit(browser, here().baseUrl)
    const field = fieldOf(page)
    await type(page, 'omega speedm')
    const options = await optionsOf(page).count()
    const said = page.getByRole('status').filter({ hasText: /suggestion/ })
    expect(await said.innerText()).toMatch(new RegExp(`^${options} suggestions?$`))
    await field.press('Escape')
    expect(await listOf(page).isVisible()).toBe(false)
    expect(await field.getAttribute('aria-expanded')).toBe('false')
    expect(await field.inputValue()).toBe('omega speedm')
    await type(page, 'omega speed')
    // Past either end, the field itself is active again.
    await field.press('ArrowUp')
    await field.press('ArrowDown')
    expect(await field.getAttribute('aria-activedescendant')).toBeNull()
    expect(await optionsOf(page, { selected: true }).count()).toBe(0)
    await field.press('ArrowDown')
    const chosen = optionsOf(page, { selected: true })
    expect(await chosen.innerText()).toMatch(/Speedmaster/)
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    const count = Number(/\d+/.exec(await chosen.locator('.suggestion-count').innerText())?.[0])
    expect(count).toBeGreaterThan(0)
    await field.press('Enter')
    await page.waitForURL(/\/explore\?brand=Omega&collection=Speedmaster/)
    expect(await page.locator('.count').first().innerText()).toMatch(new RegExp(`^${count} `))
  })

  test('open at a click in the explorer, and close at a click elsewhere', async () => {
    const { page } = await visit(browser, `${here().baseUrl}/explore`)
    await type(page, 'submar')
    await page.getByRole('heading', { level: 1 }).click()
    expect(await listOf(page).isVisible()).toBe(false)
    await fieldOf(page).fill('')
    await type(page, 'submar')
    await optionsOf(page).first().click()
    await page.waitForURL(/\/explore\?.*collection=Submariner/)
  })

  test('without JavaScript the field is part of an ordinary form', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(here().baseUrl)
    await page.getByLabel(/^Search brand/).fill('submarner')
    await page.getByLabel(/^Search brand/).press('Enter')
    await page.waitForURL(/q=submarner/)
    expect(await page.locator('main').innerText()).toContain('Submariner')
    await context.close()
  })
})

async function type(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text)
  await optionsOf(page).first().waitFor()
}

function fieldOf(page: Page): Locator {
  return page.getByRole('combobox', { name: /^Search/ })
}

function listOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Suggestions' })
}

function optionsOf(page: Page, state: { selected?: true } = {}): Locator {
  return listOf(page).getByRole('option', state)
}
