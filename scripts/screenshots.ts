// `npm run screenshots`: takes a screenshot of every page into screenshots/, in two widths and in light and dark mode.
// With --docs it takes only the images in docs/images, which the README shows. It starts a temporary service.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { everyPage, type SeenPage } from '../test/browser/every-page.ts'
import { buildHouse, moveIn } from '../test/browser/house.ts'
import { launch, settle } from '../test/browser/launch.ts'
import { findChromium } from '../test/programs/chromium.ts'

const root = path.resolve(import.meta.dirname, '..')
const looks = [1280, 375].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
)
/** Name of the page → image file below docs/. */
const shown: Readonly<Record<string, string>> = {
  dashboard: 'images/dashboard.png',
  'explore-filtered': 'images/explorer.png',
  delivery: 'images/delivery.png',
}

const isForDocs = process.argv.includes('--docs')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))

const chromium = await findChromium()
if (!chromium.available) throw new Error(`Screenshots need Chromium: ${chromium.reason}`)
const house = await buildHouse()
const browser = await launch(chromium.address)
try {
  await moveIn(house)
  const pages = (await everyPage(house)).filter(({ name }) =>
    isForDocs ? name in shown : wanted.length === 0 || wanted.includes(name),
  )
  for (const page of pages) for (const look of looks) await take(page, look)
  process.stdout.write(`${pages.length} pages\n`)
} finally {
  await browser.close()
  await house.close()
}

async function take(
  { name, path: address, who, press }: SeenPage,
  look: (typeof looks)[number],
): Promise<void> {
  const { width, colorScheme } = look
  if (isForDocs && (width !== 1280 || colorScheme !== 'light')) return
  const viewport = { width, height: isForDocs ? 860 : 800 }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  await who.enter(context)
  const page = await context.newPage()
  await page.goto(house.baseUrl + address, { waitUntil: 'networkidle' })
  await settle(page)
  if (press !== undefined) await page.getByRole('button', { name: press, exact: true }).first().click()
  const file = isForDocs
    ? path.join(root, 'docs', shown[name] ?? '')
    : path.join(root, 'screenshots', `${name}-${width}-${colorScheme}.png`)
  await mkdir(path.dirname(file), { recursive: true })
  await page.screenshot({ path: file, fullPage: !isForDocs })
  await context.close()
}
