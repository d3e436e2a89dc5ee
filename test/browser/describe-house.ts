// Describes a suite of browser tests: starts a service with users and a Chromium before its tests.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { describeWithChromium } from '../databases/engines.ts'
import { buildHouse, type House } from './house.ts'
import { launchOnce } from './launch.ts'

export interface Here {
  readonly house: House
  readonly browser: Browser
}

/** `here` may be called in tests and hooks only. */
export function describeHouse(name: string, suite: (here: () => Here) => void): void {
  describeWithChromium(name, (executablePath) => {
    let found: Here | undefined
    beforeAll(async () => {
      found = { house: await buildHouse(), browser: await launchOnce(executablePath) }
    })
    afterAll(async () => {
      await found?.house.close()
    })
    suite(() => {
      if (found === undefined) throw new Error('the service is not running before the tests begin')
      return found
    })
  })
}
