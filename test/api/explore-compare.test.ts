// Tests choosing watches to compare over real HTTP, without JavaScript: selected watches stay selected on every page
// of the explorer.
import { describe, expect, test } from 'vitest'
import {
  addressIn,
  callOf,
  decodeEntities,
  expectWhole,
  facetsOf,
  hrefsOf,
  openPage,
  type ShownPage,
} from './explore-page.ts'
import { serveSample } from './sample-server.ts'

const server = serveSample()
const open = (path: string) => openPage(server.baseUrl, path)
const comparedOf = (href: string) => new URL(href, server.baseUrl).searchParams.get('compare')

describe('a selection', () => {
  test('is kept by every link of the list, and sent to the API by none', async () => {
    const page = await open('/explore?q=a&spec[dial_color]=Black&spec[case_material]=Steel&compare=1,300')
    expectWhole(page)
    const main = page.html.slice(page.html.indexOf('<main'), page.html.indexOf('</main>'))
    const links = hrefsOf(main).filter((href) => href.startsWith('/explore'))
    expect(links.length).toBeGreaterThan(50)
    const isRemoval = (href: string) => ['1', '300'].includes(comparedOf(href) ?? '')
    expect(links.filter(isRemoval)).toHaveLength(2)
    for (const href of links.filter((one) => !isRemoval(one)))
      expect([href, comparedOf(href)]).toEqual([href, '1,300'])
    for (const [, kept = ''] of main.matchAll(/name="keep" value="([^"]*)"/g))
      expect(decodeEntities(kept)).toContain('dial_color')
    expect(keptBy(page, 'search')).toContain('compare=1,300')
    expect(keptBy(page, 'ranges')).toContain('compare=1,300')
    expect(addressIn(callOf(page, 'curl'))).not.toContain('compare')
    expect(facetsOf(page).length).toBeGreaterThan(2)
  })

  test('is ticked on the page that lists it, and named on every other', async () => {
    const page = await open('/explore?compare=1,300')
    expect(tickedOf(page)).toEqual([1])
    expect(page.text).toContain('2 watches selected.')
    const [, other = ''] = /<ul class="compare-others"[^>]*>([\s\S]*?)<\/ul>/.exec(page.html) ?? []
    expect(other).toContain('<input type="hidden" name="compare" value="300">')
    expect(other).toContain('href="/explore?compare=1"')
  })

  test('is kept by forms, together with the query', async () => {
    const sent = await open(
      `/explore?keep=${encodeURIComponent('spec[dial_color]=Black&page=2')}&compare=300&compare=7&compare=7`,
    )
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      '/explore?spec[dial_color]=Black&page=2&compare=300,7',
    ])
    const compared = await open('/explore/compare?keep=q%3Da&compare=300&compare=7')
    expect([compared.status, compared.headers.get('location')]).toEqual([303, '/explore/compare?ids=300,7'])
  })

  test('may exceed the maximum, and the page says so', async () => {
    const page = await open('/explore?compare=1,2,3,4,5')
    expect(page.status).toBe(200)
    expect(page.text).toContain('5 watches selected. You can compare up to four.')
    const refused = await open('/explore/compare?ids=1,2,3,4,5')
    expect(refused.status).toBe(422)
    expect(hrefsOf(refused.html)).toContain('/explore?compare=1,2,3,4,5')
  })

  test.each(['x', '0', '99999', '-1', '1e3', '', '%3Cb%3E,', `${'9'.repeat(30)}`])(
    'ignores the invalid value %s',
    async (written) => {
      const { status, text, html } = await open(`/explore?compare=${written}&brand=Rolex`)
      if (written === '') return expect(status).toBe(303)
      expect(status).toBe(200)
      expect(text).toContain('Select two to four watches')
      expect(html).not.toContain('compare-others')
    },
  )
})

describe('a watch', () => {
  test('is added to the comparison from its own page', async () => {
    expect(hrefsOf((await open('/explore/watches/7')).html)).toContain('/explore/compare?ids=7')
    const page = await open('/explore/watches/7?compare=1,2')
    expectWhole(page)
    expect(hrefsOf(page.html)).toContain('/explore/compare?ids=1,2,7')
    for (const href of hrefsOf(page.html).filter((one) => one.startsWith('/explore?')))
      expect([href, comparedOf(href)]).toEqual([href, '1,2'])
    const full = await open('/explore/watches/7?compare=1,2,3,4')
    expect(hrefsOf(full.html)).toContain('/explore/compare?ids=1,2,3,4')
    expect(full.text).toContain('You already selected four watches')
  })

  test('can be added on the page of a comparison until there are four', async () => {
    for (const ids of ['1', '1,2', '1,2,3'])
      expect(addOf(await open(`/explore/compare?ids=${ids}`))).toBe(`/explore?compare=${ids}`)
    expect(addOf(await open('/explore/compare?ids=1,2,3,4'))).toBeUndefined()
  })
})

function keptBy({ html }: ShownPage, form: string): string {
  return decodeEntities(
    new RegExp(`<form class="${form}"[^>]*>\\s*<input type="hidden" name="keep" value="([^"]*)"`).exec(
      html,
    )?.[1] ?? '',
  )
}

function tickedOf({ html }: ShownPage): number[] {
  return [...html.matchAll(/name="compare" value="(\d+)"[^>]* checked/g)].map(([, id]) => Number(id))
}

function addOf({ html }: ShownPage): string | undefined {
  return /href="([^"]*)">Add a watch</.exec(html)?.[1]
}
