// Tests how much of the catalogue the explorer gives away: rows per page, pages of a list, views per day, and nothing
// at all where the operator turned it off.
import { expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openFixture } from './account-fixture.ts'
import { expectWhole, hrefsOf, openPage } from './explore-page.ts'
import { startSmallServer } from './running-server.ts'
import { serveSample } from './sample-server.ts'

const engine = createEngine()
const sample = serveSample()
const fixture = share(() => openFixture(engine, { BURST_LIMIT: '50' }))

test.each(['/explore', '/explore/brands', '/explore/brands/rolex'])(
  '%s shows at most 24 rows per page, and says that the API returns more',
  async (path) => {
    expect((await openPage(sample.baseUrl, `${path}?per_page=24`)).status).toBe(200)
    const page = await openPage(sample.baseUrl, `${path}?per_page=25`)
    expect(page.status).toBe(422)
    expectWhole(page)
    expect(page.text).toContain('The explorer shows up to 24 rows per page. The API returns up to 100.')
    expect(page.text).toContain('The API accepts the same query')
  },
)

test('a visitor without an account can open 20 pages of a list, an account every page', async () => {
  const { baseUrl } = sample
  const last = await openPage(baseUrl, '/explore?per_page=1&page=20')
  expect(last.status).toBe(200)
  // No link skips the limit, but the next page says why it ends here.
  const pages = hrefsOf(last.html).map((href) => Number(/[?&]page=(\d+)/.exec(href)?.[1] ?? 1))
  expect(Math.max(...pages)).toBe(21)
  const beyond = await openPage(baseUrl, '/explore?per_page=1&page=21')
  expect(beyond.status).toBe(403)
  expectWhole(beyond)
  for (const href of ['/explore?per_page=1', '/sign-up', '/docs/pagination']) {
    expect(hrefsOf(beyond.html)).toContain(href)
  }
  expect((await openPage(baseUrl, '/explore/brands?per_page=1&page=21')).status).toBe(403)
  // A page that does not exist says so.
  expect((await openPage(baseUrl, '/explore?page=99')).text).toContain('Page 99 does not exist')
  expect((await openPage(fixture().baseUrl, '/explore?per_page=1&page=21')).status).toBe(403)
  const ada = await fixture().signUp('deep@example.com')
  const cookie = ada.visitor.headers.get('cookie') ?? ''
  expect((await openPage(fixture().baseUrl, '/explore?per_page=1&page=21', cookie)).status).toBe(200)
})

test('views are counted from midnight to midnight UTC, by address or by account', async () => {
  const { baseUrl, wait, now, signUp } = fixture()
  const ada = await signUp('viewer@example.com')
  const cookie = ada.visitor.headers.get('cookie') ?? ''
  const look = (path: string, as = '') => {
    wait(1_000)
    return openPage(baseUrl, path, as)
  }
  wait(msToMidnight(now()))
  const paths = ['/explore?q=x', '/explore/watches/1', '/explore/compare?ids=1,2', '/?q=x']
  for (const path of paths) expect((await look(path)).status).toBe(200)
  // Pages without watches count neither way.
  for (const path of ['/', '/docs']) expect((await look(path)).status).toBe(200)
  for (let views = paths.length; views < 200; views++) await look('/explore/watches/0')
  for (const path of [...paths, '/explore/brands']) {
    const refused = await look(path)
    expect([path, refused.status]).toEqual([path, 429])
    expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(msToMidnight(now()) / 1_000))
    expectWhole(refused)
    expect(hrefsOf(refused.html)).toEqual(expect.arrayContaining(['/sign-up', '/docs']))
  }
  expect((await look('/')).status).toBe(200)
  expect((await look('/explore', cookie)).status).toBe(200)
  wait(msToMidnight(now()) - 1_001)
  expect((await look('/explore')).status).toBe(429)
  expect((await look('/explore')).status).toBe(200)
})

test('where the explorer is off, there is no page of it and no link to it', async () => {
  const off = await startSmallServer(engine, { EXPLORER: 'off', SIGN_UP: 'false' })
  for (const path of ['/explore', '/explore/brands', '/explore/watches/1', '/explore/compare?ids=1']) {
    const page = await openPage(off.baseUrl, path)
    expect([path, page.status]).toEqual([path, 404])
    expectWhole(page)
  }
  for (const path of ['/', '/?q=rolex', '/docs', '/docs/filters', '/status', '/sign-up', '/sign-in']) {
    const page = await openPage(off.baseUrl, path)
    expectWhole(page)
    expect(page.html).not.toContain('/explore')
  }
  expect((await openPage(off.baseUrl, '/')).html).not.toContain('Search the catalogue')
})

function msToMidnight(now: string): number {
  const dayMs = 86_400_000
  return dayMs - (Date.parse(now) % dayMs)
}
