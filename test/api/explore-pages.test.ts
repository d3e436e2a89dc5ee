// Tests the pages of watches, brands and comparisons over real HTTP: they show what the API returns, within the
// reader's plan.
import { describe, expect, test } from 'vitest'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { createEngine } from '../databases/engines.ts'
import {
  addressIn,
  callOf,
  decodeEntities,
  expectWhole,
  facetsOf,
  hrefsOf,
  openPage,
  type ShownPage,
  textOf,
  totalOf,
} from './explore-page.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'
import { serveSample } from './sample-server.ts'

const server = serveSample()
const open = (path: string) => openPage(server.baseUrl, path)

// biome-ignore lint/suspicious/noExplicitAny: the tests check what it contains
async function ask(path: string): Promise<any> {
  const url = path.startsWith('http') ? path : `${server.baseUrl}/api/v1${path}`
  return (await fetch(url, { headers: { authorization: `Bearer ${server.demoKey}` } })).json()
}

async function everyWatch() {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => ask(`/watches?per_page=100&page=${page}`)))
  return pages.flatMap(({ data }) => data)
}

describe('the page of a watch', () => {
  test('shows every spec, each value with a link that finds the watch', async () => {
    for (const { id, specs } of (await everyWatch()).filter((_, at) => at % 40 === 0)) {
      const page = await open(`/explore/watches/${id}`)
      expect(page.status).toBe(200)
      expectWhole(page)
      const values = Object.values(specs).flat()
      const links = hrefsOf(page.html).filter((href) => href.startsWith('/explore?spec'))
      expect(links).toHaveLength(values.length)
      for (const value of values) expect(page.text).toContain(String(value))
      for (const link of links) {
        const { data } = await ask(`/watches${link.slice('/explore'.length)}&ids=${id}`)
        expect([link, data.length]).toEqual([link, 1])
      }
    }
  })

  test('shows quantities in equivalent units', async () => {
    const [watch] = (await ask('/watches?spec[water_resistance][exact]=100%20m&per_page=1')).data
    const { text } = await open(`/explore/watches/${watch.id}`)
    expect(text).toContain('100 m = 10 bar = 330 ft')
    const [slow] = (await ask('/watches?spec[power_reserve][exact]=3%20days&per_page=1')).data
    expect((await open(`/explore/watches/${slow.id}`)).text).toContain('3 days = 72 h')
  })

  test('shows the API call that returns the watch', async () => {
    const page = await open('/explore/watches/7')
    expect((await ask(addressIn(callOf(page, 'curl')))).data.id).toBe(7)
  })

  test.each(['0', '01', 'x', '999999', '1.0', '9'.repeat(20), '%3Cscript%3E'])(
    '%s does not exist',
    async (id) => {
      const page = await open(`/explore/watches/${id}`)
      expect(page.status).toBe(404)
      expectWhole(page)
    },
  )
})

describe('the pages of brands', () => {
  test('list every brand with its count, by name, and can be searched by a part of it', async () => {
    const page = await open('/explore/brands')
    expectWhole(page)
    const { data } = await ask(addressIn(callOf(page, 'curl')))
    const list = /<ul class="brands">([\s\S]*?)<\/ul>/.exec(page.html)?.[1] ?? ''
    const shown = [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, entry = '']) => textOf(entry))
    expect(shown).toHaveLength(data.length)
    for (const [at, { name, watches_count }] of data.entries()) {
      expect(shown[at]?.startsWith(`${name} ${watches_count} watch`)).toBe(true)
    }
    expect((await open('/explore/brands?q=tis')).text).toContain('1 brand')
    expect((await open('/explore/brands?q=nobody')).html).toContain('<h2>No brand has this name</h2>')
    expect((await open('/explore/brands?sort=price')).status).toBe(422)
  })

  test('show the watches of one brand, with the same filters and the same API call', async () => {
    for (const path of ['/explore/brands/rolex', '/explore/brands/rolex?spec[dial_color]=Black&per_page=2']) {
      const page = await open(path)
      expectWhole(page)
      const { meta, data } = await ask(addressIn(callOf(page, 'curl')))
      expect(totalOf(page)).toBe(meta.total)
      expect(data.every(({ brand }: { brand: string }) => brand === 'Rolex')).toBe(true)
      expect(page.text).toContain('Founded1905')
    }
    const facets = facetsOf(await open('/explore/brands/rolex'))
    expect(facets[0]?.label).toBe('Collection')
    for (const { href, count } of facets.flatMap(({ values }) => values)) {
      expect(totalOf(await open(href))).toBe(count)
    }
  })

  test('find a brand by its id, and do not redirect for an unknown one', async () => {
    const { data } = await ask('/brands/rolex')
    expect((await open(`/explore/brands/${data.id}`)).text).toContain('Rolex')
    expect((await open('/explore/brands/nobody')).status).toBe(404)
  })
})

describe('a comparison', () => {
  test('shows up to four watches side by side, and marks differences', async () => {
    const page = await open('/explore/compare?ids=3,1,120,30')
    expect(page.status).toBe(200)
    expectWhole(page)
    const order = [...page.html.matchAll(/class="compare-name" href="\/explore\/watches\/(\d+)\?/g)].map(
      ([, id]) => id,
    )
    expect(order).toEqual(['3', '1', '120', '30'])
    expect((await ask(addressIn(callOf(page, 'curl')))).meta.total).toBe(4)
    const { data } = await ask(
      '/watches?ids=1,3,30,120&fields=specs.crystal,specs.movement_type,specs.case_shape',
    )
    const rows = new Map(
      [...page.html.matchAll(/<tr( class="differs")?><th scope="row">([\s\S]*?)<\/th>/g)].map(
        ([, mark, head = '']) => [textOf(head).replace(' (differs)', ''), mark !== undefined],
      ),
    )
    for (const [label, key] of [
      ['Crystal', 'crystal'],
      ['Case shape', 'case_shape'],
      ['Movement type', 'movement_type'],
    ] as const) {
      const values = new Set(data.map(({ specs }: never) => JSON.stringify(specs[key]).toLowerCase()))
      if (values.size === 1) expect([label, rows.get(label)]).toEqual([label, false])
    }
    expect(rows.get('Movement type')).toBe(true)
    expect([...rows.values()]).toContain(false)
  })

  test('is built from ticked boxes, and each watch can be removed', async () => {
    const ticked = await open('/explore/compare?ids=1&ids=2&ids=2')
    expect([ticked.status, ticked.headers.get('location')]).toEqual([303, '/explore/compare?ids=1,2'])
    const { html } = await open('/explore/compare?ids=1,2,3')
    const without = [...html.matchAll(/class="compare-remove" href="([^"]*)"/g)].map(([, href]) => href)
    expect(without).toEqual(['2,3', '1,3', '1,2'].map((ids) => `/explore/compare?ids=${ids}`))
  })

  test.each([
    ['', 'Select two to four watches first.'],
    ['?ids=1,2,3,4,5', 'You can compare up to four watches; you selected 5.'],
    ['?ids=1,x', 'The ids must be positive integers separated by commas.'],
    ['?ids=0', 'The ids must be positive integers separated by commas.'],
  ])('of %s is rejected with advice', async (query, sentence) => {
    const page = await open(`/explore/compare${query}`)
    expect(page.status).toBe(422)
    expectWhole(page)
    expect(page.text).toContain(sentence)
  })

  test('says which watch does not exist', async () => {
    const page = await open('/explore/compare?ids=1,99999')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Watch 99999 no longer exists.')])
  })
})

describe('the price history', () => {
  let plans: PlanServer
  const cookies = new Map<PlanName, string>()
  const engine = createEngine()

  async function openAs(plan: PlanName | undefined): Promise<ShownPage> {
    return openPage(plans.baseUrl, '/explore/watches/1', plan === undefined ? '' : cookies.get(plan))
  }

  async function signUp(plan: PlanName): Promise<void> {
    const email = `reader-${plan}@example.com`
    const answer = await fetch(`${plans.baseUrl}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: plans.baseUrl },
      body: JSON.stringify({ name: plan, email, password: 'correct horse battery' }),
    })
    expect(answer.status).toBe(200)
    cookies.set(
      plan,
      answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    )
    await plans.database.write((tx) =>
      tx.updateTable('accounts').set({ plan }).where('email', '=', email).execute(),
    )
  }

  test('is shown as far back as the plan allows, otherwise the page names the plan that has it', async () => {
    plans = await startPlanServer(engine, { LOG_LEVEL: 'silent' }, 'few')
    await plans.database.write(async (tx) => {
      await tx.deleteFrom('prices').where('watch_id', '=', 1).execute()
      for (const [date, price] of [
        ['2024-01-31', 11_111],
        ['2025-06-01', 22_222],
        ['2026-02-01', 33_333],
      ] as const) {
        const line = { watch_id: 1, date, retail_price_usd: null, current_market_price: price, source: '<b>' }
        await tx.insertInto('prices').values(line).execute()
      }
    })
    for (const plan of ['free', 'pro', 'platinum'] as const) await signUp(plan)

    const anonymous = await openAs(undefined)
    expect(anonymous.text).toContain(
      'Price history is included in Pro and Platinum: Pro shows the last 365 days, Platinum all of it.',
    )
    expect(hrefsOf(anonymous.html)).toContain('/sign-up')
    const free = await openAs('free')
    expect(free.text).toContain('Your plan does not include price history')
    expect(hrefsOf(free.html)).toContain('/dashboard/plan')
    for (const { html } of [anonymous, free])
      expect(html).not.toMatch(/class="chart"|22,222|33,333|line-market/)

    const pro = await openAs('pro')
    expect(pro.text).toContain('$22,222')
    expect(pro.text).not.toContain('$11,111')
    // The page must say that the reference price is older than the shown range.
    expect(pro.text).toContain(
      'over 365 days: +200% since Mar 1, 2025. The price that applied on Mar 1, 2025 was set before',
    )
    expect(pro.html).toMatch(/<text class="axis[^>]*>Mar 1, 2025</)
    const platinum = await openAs('platinum')
    expect(platinum.text).toContain('$11,111')
    expect(platinum.text).not.toContain('was set before')
    for (const page of [pro, platinum]) {
      expectWhole(page)
      const [, sentence = ''] = /role="img" aria-label="([^"]*)"/.exec(page.html) ?? []
      expect(decodeEntities(sentence)).toMatch(
        /Market price: \$[\d,]+ on 202[45]-\d\d-\d\d, \$33,333 on 2026-02-01\./,
      )
      expect(page.html).toMatch(/<path class="line-market" d="M[\d .MHV]+"/)
      expect(page.html).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})
