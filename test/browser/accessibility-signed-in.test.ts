// Checks every page as a signed-in user sees it, by the same rules as the public pages: see accessibility.test.ts.
import { beforeAll, expect, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { everyPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { checkPages, depthTold } from './look-around.ts'

describeHouse('every page for signed-in users, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test(`meets WCAG 2.2 AA (${depthTold}), fits the screen, logs no error, requests nothing from other origins`, async () => {
    const pages = (await everyPage(here().house)).filter(({ who }) => who !== here().house.nobody)
    expect(pages.length).toBeGreaterThan(20)
    expect(await checkPages(here(), pages)).toEqual([])
  })
})
