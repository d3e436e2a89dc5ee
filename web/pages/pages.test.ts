import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compactJson, curlRequest } from './docs/docs-example.ts'
import { landingPage } from './landing.ts'
import { html } from './layout/html.ts'
import type { Instance } from './layout/instance.ts'
import type { Site } from './layout/site.ts'
import { notFoundPage } from './not-found.ts'
import { statusPage } from './status.ts'

const hostileText = `</script><img src=x onerror="alert('1')">&`

const site: Site = {
  assets: {
    style: '/assets/style.css',
    icon: '/assets/icon.svg',
    page: '/assets/page.js',
    docs: '/assets/docs.js',
    explore: '/assets/explore.js',
    dashboard: '/assets/app.js',
  },
  visitor: undefined,
  isOpen: true,
  hasExplorer: true,
}

const ownScript = `<script type="module" src="${site.assets.page}"></script>`

const instance: Instance = {
  version: '0.1.0',
  baseUrl: 'http://localhost:8080',
  engine: 'sqlite',
  watches: 8412,
  brands: 57,
  sequence: 8469,
  lastChangeAt: '2026-02-28T09:12:44Z',
  startedAt: '2026-02-26T14:00:00Z',
  now: '2026-03-01T18:00:00Z',
  ready: true,
  plans: [
    { name: 'Small', requestsPerDay: 50, usdPerMonth: 0, grants: ['catalogue'], webhooksMax: 0 },
    {
      name: 'Large',
      requestsPerDay: 1500,
      usdPerMonth: 59,
      grants: ['catalogue', 'prices', 'webhooks'],
      priceHistoryDays: 365,
      webhooksMax: 25,
    },
  ],
  example: '{\n  "id": 1\n}',
}

function everyPage(data: Instance): [path: string, page: string][] {
  return [
    ['/', landingPage(site, data, html``)],
    ['/status', statusPage(site, data)],
    ['/nowhere', notFoundPage(site)],
  ]
}

describe.each(everyPage(instance))('the page at %s', (_path, page) => {
  test('contains nothing that the content security policy blocks', () => {
    expect(page.replace(ownScript, '')).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<iframe|@import/i)
  })

  test('loads only from its own origin, and has no external link but the one to Standard Webhooks', () => {
    const links = page.replaceAll('<a href="https://www.standardwebhooks.com">', '')
    const addresses = [...links.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map((match) => match[1])
    expect(addresses.filter((address) => !/^(\/(?!\/)|#)/.test(address ?? ''))).toEqual([])
  })

  test('has a target for every link within the page, and no duplicate id', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(ids).toEqual([...new Set(ids)])
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  })

  test('has one main heading, a title and a description', () => {
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page).toMatch(/<title>[^<]+<\/title>\n<meta name="description" content="[^"]+">/)
  })
})

test('HTML in the data is shown as text', () => {
  const hostile = {
    ...instance,
    version: hostileText,
    baseUrl: hostileText,
    example: hostileText,
    plans: [{ name: hostileText, requestsPerDay: 1, usdPerMonth: 1, grants: [], webhooksMax: 0 }],
  }
  for (const [, page] of everyPage(hostile))
    expect(page.replace(ownScript, '')).not.toMatch(/<img|<\/script/i)
})

test('an empty catalogue is shown as an empty list, with nothing made up', () => {
  const page = landingPage(site, { ...instance, watches: 0, brands: 0, example: '' }, html``)
  expect(page.replaceAll(/<[^>]+>/g, '')).toContain('&quot;data&quot;: [],')
  expect(statusPage(site, { ...instance, sequence: 0, lastChangeAt: undefined })).toContain('None yet')
})

test('an instance that is not ready does not say that it is', () => {
  const page = statusPage(site, { ...instance, ready: false })
  expect(page).toContain('>Not ready<')
  expect(page).not.toContain('>Ready<')
})

test('a request is shown as a curl command with one parameter per line', () => {
  expect(curlRequest('http://a', '/watches?spec[a][gte]=100%20m&per_page=1')).toBe(
    [
      `curl -G 'http://a/api/v1/watches'`,
      `-H 'Authorization: Bearer YOUR_API_KEY'`,
      `--data-urlencode 'spec[a][gte]=100 m'`,
      `-d 'per_page=1'`,
    ].join(' \\\n  '),
  )
})

test('a response is shown complete, and values that fit on one line stay on it', () => {
  const answer = {
    data: [{ id: 1, text: 'x'.repeat(80), empty: {}, none: [] }],
    meta: { total: 1, of: null },
  }
  const shown = compactJson(answer)
  expect(JSON.parse(shown)).toEqual(answer)
  expect(shown.split('\n')).toContain('  "meta": { "total": 1, "of": null }')
})

test('the table of plans shows what each plan includes and lacks', () => {
  const page = landingPage(site, instance, html``)
  const rows = [...page.matchAll(/<tr>.*<\/tr>/g)].map(([row]) =>
    row.replaceAll(/<\/t[hd]>/g, ' | ').replaceAll(/<[^>]+>/g, ''),
  )
  expect(rows).toEqual(
    expect.arrayContaining([
      'Plan | Small | Large | ',
      'Requests per day | 50 | 1,500 | ',
      'Price per month | $0 | $59 | ',
      'Watches, brands, specs | Yes | Yes | ',
      'Price history | No | 365\u00A0days | ',
      'Change feed | No | No | ',
      'Webhooks | No | 25 | ',
    ]),
  )
})

test('numbers have thousands separators', () => {
  expect(landingPage(site, instance, html``)).toContain('<dd>8,412</dd>')
})

test('the stylesheets and the icon load nothing but each other', () => {
  const folder = new URL('../style/', import.meta.url)
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.includes('.'))
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8')
      .replace('http://www.w3.org/2000/svg', '')
      .replaceAll(/@import "\.\/[a-z/-]+\.css";/g, '')
    expect([file, text.match(/url\(|@import|https?:|href/)]).toEqual([file, null])
  }
})
