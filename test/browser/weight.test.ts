// Limits the JavaScript that a first visit loads, so that pages are usable on a slow connection.
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeHouse } from './describe-house.ts'
import { moveIn } from './house.ts'
import { settle } from './launch.ts'
import type { Person } from './person.ts'

const kilobyte = 1_024

describeHouse('the gzipped JavaScript of a first visit', (here) => {
  beforeAll(() => moveIn(here().house))

  test.each([
    ['/', 60],
    ['/explore', 60],
    ['/explore/watches/1', 60],
    ['/docs', 60],
    ['/docs/reference', 60],
  ])('to %s is at most %i KB', async (path, maxKilobytes) => {
    expect(await weigh(path, here().house.nobody)).toSatisfy(isWithin(maxKilobytes))
  })

  test.each([
    ['/dashboard', 120],
    ['/dashboard/webhooks', 120],
    ['/dashboard/settings', 120],
  ])('to %s is at most %i KB', async (path, maxKilobytes) => {
    expect(await weigh(path, here().house.ada)).toSatisfy(isWithin(maxKilobytes))
  })

  /** The total size of all scripts loaded by the page. */
  async function weigh(path: string, who: Person): Promise<number> {
    const { house, browser } = here()
    // A new context, whose cache is empty: cached scripts would not be loaded.
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    await who.enter(context)
    const page = await context.newPage()
    const bodies: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') bodies.push(response.body())
    })
    await page.goto(house.baseUrl + path)
    await settle(page)
    await page.waitForLoadState('networkidle')
    const scripts = await Promise.all(bodies)
    return scripts.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  }
})

/** Also fails if nothing was measured. */
function isWithin(maxKilobytes: number): (bytes: number) => boolean {
  return (bytes) => bytes > kilobyte / 2 && bytes <= maxKilobytes * kilobyte
}
