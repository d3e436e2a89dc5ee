// Every page, seen by whom it is for, in both colour schemes and on a phone and a desk: axe finds nothing against WCAG
// 2.2 AA, nothing is wider than the screen, nothing is asked of anyone else, nothing complains.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { everyPage, type SeenPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { settle } from './launch.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']
const looks = [375, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)
/** In the dark nothing but the colours is another, so only what looks at them is asked again. */
const rulesOfColor = ['color-contrast', 'link-in-text-block']
/** Of a round over all pages. */
const roundMaxMs = 600_000

describeHouse('every page, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test(
    'has nothing against WCAG 2.2 AA, fits, complains of nothing and asks nobody else',
    async () => {
      const pages = await everyPage(here().house)
      const found: string[] = []
      for (const seen of pages) found.push(...(await findFaults(seen)))
      expect(pages.length).toBeGreaterThan(40)
      expect(found).toEqual([])
    },
    roundMaxMs,
  )

  async function findFaults({ name, path, who, press, status = 200 }: SeenPage): Promise<string[]> {
    const { house, browser } = here()
    const options = { reducedMotion: 'reduce' as const }
    const { page, strangers, complaints } = await visit(browser, house.baseUrl + path, options, who)
    await settle(page)
    if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).first().click()
    // Not as a script of the page, which its policy would refuse.
    await page.evaluate(axe.source)
    const faults: string[] = []
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const told = [...(await violationsOf(page, colorScheme)), ...(await misfitsOf(page, colorScheme))]
      faults.push(...told.map((fault) => `${name} at ${width} px, ${colorScheme}: ${fault}`))
    }
    const expected = status === 200 ? [] : [`status of ${status}`]
    const unexpected = complaints.filter((text) => !expected.some((words) => text.includes(words)))
    faults.push(...[...strangers, ...unexpected].map((fault) => `${name}: ${fault}`))
    await page.context().close()
    return faults
  }
})

function violationsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const runOnly = colorScheme === 'light' ? tags : { type: 'rule', values: rulesOfColor }
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html + ' ' + (any[0]?.message ?? '')).join(' | ')))`,
  )
}

async function misfitsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  const background = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'))
  const headings = await page.locator('h1').count()
  return [
    ...(overflow === 0 ? [] : [`${overflow} px wider than the screen`]),
    ...(isLight(background) === (colorScheme === 'light') ? [] : [`is ${background}`]),
    ...(headings === 1 ? [] : [`has ${headings} h1`]),
  ]
}

function isLight(color: string): boolean {
  const parts = (color.match(/\d+(\.\d+)?/g) ?? []).slice(0, 3).map(Number)
  return Math.max(...parts) > 128
}
