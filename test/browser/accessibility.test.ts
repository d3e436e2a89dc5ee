// Checks every public page, in both colour schemes, at phone and desktop width: axe finds no violation of WCAG 2.2 AA,
// nothing is wider than the screen, no other origin is requested, no error is logged. The pages of signed-in users are
// in accessibility-signed-in.test.ts, so that two processes can work at once.
import { beforeAll, expect, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { everyPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { checkPages, depthTold } from './look-around.ts'

describeHouse('every public page, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test(`meets WCAG 2.2 AA (${depthTold}), fits the screen, logs no error, requests nothing from other origins`, async () => {
    const pages = (await everyPage(here().house)).filter(({ who }) => who === here().house.nobody)
    expect(pages.length).toBeGreaterThan(25)
    expect(await checkPages(here(), pages)).toEqual([])
  })
})
