// Every page that is for anyone, in both colour schemes and on a phone and a desk: axe finds nothing against WCAG 2.2 AA,
// nothing is wider than the screen, nothing is asked of anyone else, nothing complains. Those of who is signed in are in
// accessibility-signed-in.test.ts, so that two can look at once.
import { beforeAll, expect, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { everyPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { lookAround } from './look-around.ts'

describeHouse('every page for anyone, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test('has nothing against WCAG 2.2 AA, fits, complains of nothing and asks nobody else', async () => {
    const pages = (await everyPage(here().house)).filter(({ who }) => who === here().house.nobody)
    expect(pages.length).toBeGreaterThan(25)
    expect(await lookAround(here(), pages)).toEqual([])
  })
})
