// Checks every page, in both colour schemes, at phone and desktop width: axe finds no violation of WCAG 2.2 AA, nothing
// is wider than the screen, no other origin is requested, no error is logged.
import { beforeAll, expect, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { everyPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { checkPages, depthTold } from './look-around.ts'

const told = `meets WCAG 2.2 AA (${depthTold}), fits the screen, logs no error, requests nothing from other origins`

describeHouse('every page, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test(`for visitors ${told}`, async () => {
    const { house } = here()
    const pages = (await everyPage(house)).filter(({ who }) => who === house.nobody)
    expect(pages.length).toBeGreaterThan(25)
    expect(await checkPages(here(), pages)).toEqual([])
  })

  test(`for signed-in users ${told}`, async () => {
    const { house } = here()
    const pages = (await everyPage(house)).filter(({ who }) => who !== house.nobody)
    expect(pages.length).toBeGreaterThan(20)
    expect(await checkPages(here(), pages)).toEqual([])
  })
})
