// In charge of how a person works a page: with a mouse, or with nothing but the keyboard. A journey that is written for
// hands is walked with both.
import type { Locator, Page } from 'playwright-core'

export interface Hands {
  readonly name: string
  /** A button, a link, a box to tick. */
  press(target: Locator): Promise<void>
  write(field: Locator, text: string): Promise<void>
}

/** More than any page has. */
const stepsMax = 200

export function mouse(): Hands {
  return {
    name: 'by mouse',
    press: (target) => target.click(),
    write: (field, text) => field.fill(text),
  }
}

/** Never touches a pointer: goes by Tab to what it wants, as far as that can be reached. */
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
    // Drawn anew meanwhile. Not looked for at every step: to find what has a role and a name takes long.
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

/** Where the focus is, one must see. */
async function assertSeen(page: Page): Promise<void> {
  const look = await page.evaluate(
    '(() => { const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement); return outlineStyle + " " + boxShadow })()',
  )
  if (look === 'none none') throw new Error('the focus cannot be seen')
}
