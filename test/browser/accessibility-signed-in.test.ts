// Every page as who is signed in sees it, held to the same as those that are for anyone: see accessibility.test.ts.
import { beforeAll, expect, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { everyPage } from './every-page.ts'
import { moveIn } from './house.ts'
import { lookAround } from './look-around.ts'

describeHouse('every page of who is signed in, at 375 and 1280 px, light and dark,', (here) => {
  beforeAll(() => moveIn(here().house))

  test('has nothing against WCAG 2.2 AA, fits, complains of nothing and asks nobody else', async () => {
    const pages = (await everyPage(here().house)).filter(({ who }) => who !== here().house.nobody)
    expect(pages.length).toBeGreaterThan(20)
    expect(await lookAround(here(), pages)).toEqual([])
  })
})
