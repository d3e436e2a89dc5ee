// Checks pages with axe: each as its user sees it, in both colour schemes, at phone and desktop width.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { isNightly } from '../depth.ts'
import { type Visit, visit } from './browser.ts'
import type { Here } from './describe-house.ts'
import type { SeenPage } from './every-page.ts'
import { settle } from './launch.ts'
import type { Person } from './person.ts'

type ColorScheme = 'light' | 'dark'

/** The order ends with the look of a new window, so that the next page loads as in a new one. */
const looks: readonly { width: number; colorSchemes: readonly ColorScheme[] }[] = [
  { width: 375, colorSchemes: ['light', 'dark'] },
  { width: 1280, colorSchemes: ['dark', 'light'] },
]
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']
/** Only colours differ in the dark scheme, so only the rules about colour run again there. */
const rulesOfColor = [
  { id: 'color-contrast', selector: '[data-ask]' },
  { id: 'link-in-text-block', selector: 'a[data-ask]' },
]
const axe = `${await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')}
axe.configure({ rules: ${JSON.stringify(rulesOfColor)} })`
/**
 * How many texts per combination of text style and background style are checked for contrast, on the first page that
 * has them: this check takes axe longer than all others. Nightly runs check all texts of every page.
 */
const textsOfStyle = isNightly ? Number.MAX_SAFE_INTEGER : 2
/** Says in the name of a test what is checked only in nightly runs. */
export const depthTold = isNightly
  ? 'all rules at both widths'
  : 'all rules on one of several pages that are alike, these and the dark scheme at one width in turn, rules of colour at both; at night all at both'

/**
 * Returns every fault of the pages. Each user keeps one window: opening and warming up a window takes longer than
 * checking most pages.
 */
export async function checkPages(here: Here, pages: readonly SeenPage[]): Promise<string[]> {
  const windows = new Map<Person, Visit>()
  const stylesAsked = new Set<string>()
  const found: string[] = []
  for (const [at, seen] of pages.entries()) {
    const url = here.house.baseUrl + seen.path
    const open = windows.get(seen.who)
    const window = open ?? (await visit(here.browser, url, { reducedMotion: 'reduce' }, seen.who))
    windows.set(seen.who, window)
    if (open !== undefined) await window.page.goto(url)
    found.push(...(await findFaults(window, seen, widthsOf(seen, at), stylesAsked)))
  }
  return found
}

/** At which widths a page is checked by all rules, and in the dark scheme. */
interface Widths {
  readonly ofAllRules: readonly number[]
  readonly inTheDark: readonly number[]
}

/**
 * Most rules are about the structure of a page, which is nearly the same at both widths: what differs belongs to the
 * layout, which many pages share. So every second page has them at the other width. The same is true of dark colours.
 */
function widthsOf({ isTwin = false }: SeenPage, at: number): Widths {
  const widths = looks.map(({ width }) => width)
  if (isNightly) return { ofAllRules: widths, inTheDark: widths }
  const one = widths.filter((_, look) => look === at % looks.length)
  return { ofAllRules: isTwin ? [] : one, inTheDark: one }
}

async function findFaults(
  window: Visit,
  { name, press, typed, status = 200 }: SeenPage,
  { ofAllRules, inTheDark }: Widths,
  stylesAsked: Set<string>,
): Promise<string[]> {
  const { page, strangers, complaints } = window
  await settle(page)
  if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).first().click()
  if (typed !== undefined) {
    await page.getByRole('combobox', { name: /^Search/ }).fill(typed)
    await page.getByRole('listbox').getByRole('option').first().waitFor()
  }
  await bringAxe(page)
  const faults: string[] = []
  for (const { width, colorSchemes } of looks) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of colorSchemes) {
      if (colorScheme === 'dark' && !inTheDark.includes(width)) continue
      await page.emulateMedia({ colorScheme })
      const told = [
        ...(await violationsOf(page, colorScheme === 'light' && ofAllRules.includes(width), stylesAsked)),
        ...(await misfitsOf(page, colorScheme)),
      ]
      faults.push(...told.map((fault) => `${name} at ${width} px, ${colorScheme}: ${fault}`))
    }
  }
  const expected = status === 200 ? [] : [`status of ${status}`]
  const unexpected = complaints.splice(0).filter((text) => !expected.some((words) => text.includes(words)))
  return [...faults, ...[...strangers.splice(0), ...unexpected].map((fault) => `${name}: ${fault}`)]
}

/**
 * Not as a script of the page, which its Content-Security-Policy would block. Not by `evaluate` either, because
 * Chromium would compile axe again on every page.
 */
async function bringAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  await session.detach()
}

async function violationsOf(page: Page, hasAllRules: boolean, stylesAsked: Set<string>): Promise<string[]> {
  const styles = await page.evaluate<string[]>(askForContrast([...stylesAsked]))
  // Every style of this look was already checked on another page.
  if (!hasAllRules && styles.length === 0) return []
  if (!isNightly) for (const style of styles) stylesAsked.add(style)
  const runOnly = hasAllRules ? tags : { type: 'rule', values: rulesOfColor.map(({ id }) => id) }
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html, any }) => html + ' ' + (any[0]?.message ?? '')).join(' | ')))`,
  )
}

/**
 * Runs in the page: marks the texts to check and returns their styles. An element that paints nothing itself is not
 * part of the background. A link must differ from the text around it, so the presence and colour of that text are part
 * of the link's style.
 */
const askForContrast = (known: readonly string[]) => `(() => {
  const others = 'input, select, textarea, a', plain = 'rgba(0, 0, 0, 0),none,1,static'
  const known = new Set(${JSON.stringify(known)}), groundOf = new Map(), asked = new Map()
  const lengthOf = ({ textContent }) => textContent.replace(/\\s/g, '').length
  const linkStyle = (link) => {
    const { textDecorationLine, borderBottom, fontStyle } = getComputedStyle(link)
    let block = link.parentElement
    while (getComputedStyle(block).display === 'inline') block = block.parentElement
    const linked = [...block.querySelectorAll('a')].reduce((sum, one) => sum + lengthOf(one), 0)
    return [textDecorationLine, borderBottom, fontStyle, getComputedStyle(link.parentElement).color, lengthOf(block) > linked]
  }
  for (const element of document.querySelectorAll('*')) {
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, position } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, position].join()
    const under = groundOf.get(element.parentElement) ?? ''
    const ground = own === plain ? under : under + ' > ' + own
    groundOf.set(element, ground)
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
    if ((!hasText && !element.matches(others)) || !element.checkVisibility()) continue
    const style = [ground, color, fontSize, fontWeight, ...(element.matches('a') ? linkStyle(element) : [])].join()
    const before = known.has(style) ? Infinity : (asked.get(style) ?? 0)
    element.toggleAttribute('data-ask', before < ${textsOfStyle})
    if (before !== Infinity) asked.set(style, before + 1)
  }
  return [...asked.keys()]
})()`

interface Measures {
  readonly overflow: number
  readonly background: string
  readonly headings: number
}

async function misfitsOf(page: Page, colorScheme: ColorScheme): Promise<string[]> {
  const { overflow, background, headings } = await page.evaluate<Measures>(
    `({ overflow: document.documentElement.scrollWidth - window.innerWidth, background: getComputedStyle(document.body).backgroundColor, headings: document.querySelectorAll('h1').length })`,
  )
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
