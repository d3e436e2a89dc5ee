import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dashboardPage } from './dashboard.ts'
import { docsPage } from './docs.ts'
import type { Reference } from './docs-data.ts'
import { compactJson, curlRequest } from './docs-example.ts'
import type { Instance } from './instance.ts'
import { landingPage } from './landing.ts'
import { notFoundPage } from './not-found.ts'

const hostileText = `</script><img src=x onerror="alert('1')">&`

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

function everyPage(data: Instance, text: string): [path: string, page: string][] {
  const problems = [{ status: 401, message: text, when: text }]
  const settings = [{ env: text, type: text, default: text, help: text }]
  return [
    ['/', landingPage(data)],
    ['/docs', docsPage({ ...data, problems, settings, reference: referenceOf(text) })],
    ['/dashboard', dashboardPage(data)],
    ['/nowhere', notFoundPage()],
  ]
}

/** As small as it can be, with `text` wherever the tables of the service have words. */
function referenceOf(text: string): Reference {
  const row = { name: text, type: text, default: text, choices: [text], meaning: text, example: text }
  const same = { key: text, values: [text, text] }
  return {
    operators: [{ written: text, meaning: text, example: `${text}&${text}` }],
    parameters: [row],
    limits: { filters: 20, keyLength: 128, valueLength: 512 },
    quantities: [{ units: [text], keys: [{ unit: text, names: [text] }] }],
    sameQuantities: [same],
    synonyms: [same],
    schemas: ['Watch', 'Meta', 'SpecKey'].map((name) => ({ name, fields: [row] })),
    endpoints: [
      {
        anchor: 'list-spec-keys',
        method: 'GET',
        path: text,
        summary: text,
        description: text,
        takesListParameters: true,
        parameters: [row],
        statuses: [200],
        body: '',
        schema: 'SpecKey',
        examples: ['fields', 'facets', 'explain', 'unknown_key'].map((name) => ({
          name,
          summary: text,
          method: 'GET',
          request: '/watches',
          sent: undefined,
          status: 422,
          headers: [{ name: text, value: text }],
          body: { [text]: text },
        })),
      },
    ],
    answerHeaders: [row],
    requestHeaders: [row],
    quotaHeaders: [row],
    quotaRules: [text],
  }
}

describe.each(everyPage(instance, 'text'))('the page at %s', (path, page) => {
  test('asks for nothing that the content security policy refuses', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<iframe|<form|@import/i)
  })

  test('loads only from its own origin, and links elsewhere only to the standard it keeps', () => {
    const links = page.replaceAll('<a href="https://www.standardwebhooks.com">', '')
    const addresses = [...links.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map((match) => match[1])
    expect(addresses.filter((address) => !/^(\/(?!\/)|#)/.test(address ?? ''))).toEqual([])
  })

  test('has a target for every link into itself, and no id twice', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(ids).toEqual([...new Set(ids)])
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
  })

  test('has one main heading, a title and a description', () => {
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page).toMatch(/<title>[^<]+<\/title>\n<meta name="description" content="[^"]+">/)
  })

  test('marks itself, and only itself, in the navigation', () => {
    const current = [...page.matchAll(/href="([^"]+)" aria-current="page"/g)].map((match) => match[1])
    expect(current).toEqual(path === '/nowhere' ? [] : [path])
  })
})

test('whatever the data says is shown as text', () => {
  const hostile = {
    ...instance,
    version: hostileText,
    baseUrl: hostileText,
    example: hostileText,
    plans: [{ name: hostileText, requestsPerDay: 1, usdPerMonth: 1, grants: [], webhooksMax: 0 }],
  }
  for (const [, page] of everyPage(hostile, hostileText)) expect(page).not.toMatch(/<img|<\/script/i)
})

test('an empty catalogue is shown as an empty list, with nothing made up', () => {
  const page = landingPage({ ...instance, watches: 0, brands: 0, example: '' })
  expect(page.replaceAll(/<[^>]+>/g, '')).toContain('&quot;data&quot;: [],')
  expect(dashboardPage({ ...instance, sequence: 0, lastChangeAt: undefined })).toContain('None yet')
})

test('an instance that cannot answer does not say that it is ready', () => {
  const page = dashboardPage({ ...instance, ready: false })
  expect(page).toContain('>Not ready<')
  expect(page).not.toContain('>Ready<')
})

test('a request is shown as curl sends it, one parameter a line', () => {
  expect(curlRequest('http://a', '/watches?spec[a][gte]=100%20m&per_page=1')).toBe(
    [
      `curl -G 'http://a/api/v1/watches'`,
      `-H 'Authorization: Bearer YOUR_API_KEY'`,
      `--data-urlencode 'spec[a][gte]=100 m'`,
      `-d 'per_page=1'`,
    ].join(' \\\n  '),
  )
})

test('an answer is shown whole, with on one line what fits there', () => {
  const answer = {
    data: [{ id: 1, text: 'x'.repeat(80), empty: {}, none: [] }],
    meta: { total: 1, of: null },
  }
  const shown = compactJson(answer)
  expect(JSON.parse(shown)).toEqual(answer)
  expect(shown.split('\n')).toContain('  "meta": { "total": 1, "of": null }')
})

test('plans are told with what each has and what it lacks', () => {
  const docs = docsPage({ ...instance, problems: [], settings: [], reference: referenceOf('text') })
  for (const page of [landingPage(instance), docs]) {
    const rows = [...page.matchAll(/<tr>.*<\/tr>/g)].map(([row]) =>
      row.replaceAll(/<\/t[hd]>/g, ' | ').replaceAll(/<[^>]+>/g, ''),
    )
    expect(rows).toEqual(
      expect.arrayContaining([
        'Plan | Small | Large | ',
        'Requests per day | 50 | 1,500 | ',
        'Price per month | $0 | $59 | ',
        'Watches, brands, specs | Yes | Yes | ',
        'Price history | No | 365 days | ',
        'Change feed | No | No | ',
        'Webhooks | No | 25 | ',
      ]),
    )
  }
})

test('the way through the docs folds the endpoints of one subject, and keeps one that is alone in sight', () => {
  const reference = referenceOf('text')
  const [endpoint] = reference.endpoints as [Reference['endpoints'][number]]
  const endpoints = ['/watches', '/watches/{id}/prices', '/usage'].map((path, at) => ({
    ...endpoint,
    ...(at > 0 && { anchor: `at-${at}` }),
    path,
  }))
  const page = docsPage({ ...instance, problems: [], settings: [], reference: { ...reference, endpoints } })
  const [, below = ''] = /<a href="#endpoints">Endpoints<\/a>(.*)/.exec(page) ?? []
  expect(below).toContain(
    '<details><summary>Watches</summary><ol><li><a href="#list-spec-keys">text</a></li><li><a href="#at-1">text</a></li></ol></details></li><li><a href="#at-2">text</a></li>',
  )
  expect(page).toContain('GET /watches/<wbr>{id}/<wbr>prices')
})

test('figures are grouped in thousands', () => {
  expect(landingPage(instance)).toContain('<dd>8,412</dd>')
})

test('the stylesheet and the icon load nothing', () => {
  for (const name of ['style.css', 'favicon.svg']) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8').replace(
      'http://www.w3.org/2000/svg',
      '',
    )
    expect(text).not.toMatch(/url\(|@import|https?:|href/)
  }
})
