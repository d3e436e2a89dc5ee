// In charge of what every test at a browser begins with: a house, and a Chromium to look at it.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { describeWithChromium } from '../databases/engines.ts'
import { buildHouse, type House } from './house.ts'
import { launch } from './launch.ts'

export interface Here {
  readonly house: House
  readonly browser: Browser
}

/** `here` can be asked in tests, not before. */
export function describeHouse(name: string, suite: (here: () => Here) => void): void {
  describeWithChromium(name, (executablePath) => {
    let found: Here | undefined
    beforeAll(async () => {
      found = { house: await buildHouse(), browser: await launch(executablePath) }
    })
    afterAll(async () => {
      await found?.browser.close()
      await found?.house.close()
    })
    suite(() => {
      if (found === undefined) throw new Error('there is no house before the tests begin')
      return found
    })
  })
}
