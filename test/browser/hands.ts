// Operates a page as a user does: with a mouse, or with the keyboard alone. A test written against `Hands` runs with
// both.
import type { Locator, Page } from 'playwright-core'

export interface Hands {
  readonly name: string
  /** Presses a button or a link, or ticks a checkbox. */
  press(target: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
}

/** More Tab steps than any page needs. */
const stepsMax = 200

export function mouse(): Hands {
  return {
    name: 'by mouse',
    press: (target) => target.click(),
    write: (field, text) => field.fill(text),
  }
}

/** Uses no pointer: moves to each target with Tab, and fails if Tab cannot reach it. */
export function keyboard(): Hands {
  return {
    name: 'by keyboard alone',
    async press(target) {
      await walkTo(target)
      await target.page().keyboard.press('Enter')
    },
    async write(field, text) {
      await walkTo(field)
      const { keyboard: keys } = field.page()
      await keys.press('ControlOrMeta+a')
      await keys.press('Delete')
      await keys.type(text)
    },
  }
}

type Found = Awaited<ReturnType<Locator['elementHandle']>>

async function walkTo(target: Locator): Promise<void> {
  const page = target.page()
  let wanted = await find(target)
  for (let step = 0; step < stepsMax; step++) {
    const focus = await focusOf(wanted)
    if (focus === 'here') return assertSeen(page)
    // The element was rendered again meanwhile. Not looked up at every step, because finding by role and name is slow.
    if (focus === 'gone') wanted = await find(target)
    else await page.keyboard.press('Tab')
  }
  throw new Error(`${target} cannot be reached by keyboard`)
}

async function find(target: Locator): Promise<Found> {
  await target.waitFor()
  return target.elementHandle()
}

function focusOf(wanted: Found): Promise<'here' | 'elsewhere' | 'gone'> {
  return wanted.evaluate((element) => {
    if (!element.isConnected) return 'gone'
    return element === element.ownerDocument.activeElement ? 'here' : 'elsewhere'
  })
}

/** Throws if the focused element shows no focus indicator. */
async function assertSeen(page: Page): Promise<void> {
  const look = await page.evaluate(
    '(() => { const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement); return outlineStyle + " " + boxShadow })()',
  )
  if (look === 'none none') throw new Error('the focus is not visible')
}
