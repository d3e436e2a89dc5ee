// Tests the docs as a reader uses them: every page exists as HTML and as Markdown, and every link works.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { commonTasks } from '../../src/http/contract/docs/list-for-programs.ts'
import { docsEntries, markdownPathOf } from '../../web/pages/docs/docs-pages.ts'
import { createEngine } from '../databases/engines.ts'
import { startTestServer } from './running-server.ts'
import { serveSample } from './sample-server.ts'

const server = serveSample()

async function read(address: string): Promise<string> {
  const answer = await fetch(server.baseUrl + address, { redirect: 'manual' })
  expect([address, answer.status]).toEqual([address, 200])
  return answer.text()
}

function idsOf(page: string): string[] {
  return [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)
}

describe.each(docsEntries)('the page $path', (entry) => {
  test('is a complete page: one main heading, no duplicate id, nothing that the CSP blocks', async () => {
    const answer = await fetch(server.baseUrl + entry.path)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const page = await answer.text()
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(idsOf(page)).toEqual([...new Set(idsOf(page))])
    expect(page).not.toMatch(
      /<style|\sstyle=|\son\w+=|<iframe|<form|<script(?! type="module" src="\/assets\/)/,
    )
    expect(page).toContain(`href="${markdownPathOf(entry)}"`)
    expect(page).toMatch(new RegExp(`href="${entry.path}" aria-current="page"`))
  })

  test('has only working links, including anchors, and external links only to standards', async () => {
    const page = await read(entry.path)
    for (const [, address = ''] of page.matchAll(/\shref="([^"]*)"/g)) {
      if (/^https:\/\/(www\.standardwebhooks\.com|www\.rfc-editor\.org\/rfc\/)/.test(address)) continue
      const [target = '', anchor] = address.replaceAll('&amp;', '&').split('#')
      expect(address).toMatch(/^[/#](?!\/)/)
      const found = target === '' ? page : await read(target)
      if (anchor !== undefined) expect([address, idsOf(found).includes(anchor)]).toEqual([address, true])
    }
  })

  test('exists as Markdown, with the URL of this instance and without markers', async () => {
    const answer = await fetch(server.baseUrl + markdownPathOf(entry))
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const text = await answer.text()
    expect(text).toMatch(/^# \S/)
    expect(text).not.toMatch(/<!--|localhost:8080/)
  })
})

test('an unknown page is 404, whatever its name', async () => {
  for (const name of ['nothing', 'nothing.md', '..%2Fpackage.json', '__proto__', 'filters.md.md', '.md']) {
    expect([name, (await fetch(`${server.baseUrl}/docs/${name}`)).status]).toEqual([name, 404])
  }
  const moved = await fetch(`${server.baseUrl}/docs/getting-started`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/docs'])
})

test('/llms.txt lists every page as Markdown and the OpenAPI document, and all of them exist', async () => {
  const list = await read('/llms.txt')
  expect(list).toMatch(/^# watchdata\n\n> .+\n\n## /)
  const addresses = [...list.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, address = '']) => address)
  const wanted = [...docsEntries.map(markdownPathOf), '/openapi.json', '/llms-full.txt']
  expect(addresses.toSorted()).toEqual(wanted.map((one) => server.baseUrl + one).toSorted())
  for (const address of addresses) await read(address.slice(server.baseUrl.length))
})

test('every call that /llms.txt shows finds something', async () => {
  const list = await read('/llms.txt')
  for (const [task, call] of commonTasks) {
    expect(list).toContain(`- ${task}: \`${call}\``)
    for (const [, method = '', target = '', body] of call.matchAll(
      /(GET|POST) (\/[^·{]*?)(?:,? then[^·]*|\s*(\{.*\}))?(?: ·|$)/g,
    )) {
      const response = await fetch(`${server.baseUrl}/api/v1${target.trim()}`, {
        method,
        headers: { authorization: `Bearer ${server.demoKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
      })
      const { data } = (await response.json()) as { data?: unknown[] | object }
      if (target.includes('/prices')) expect([call, response.status]).toEqual([call, 403])
      else expect([call, response.status, Object.keys(data ?? {}).length > 0]).toEqual([call, 200, true])
      expect([call, response.headers.get('x-unknown-parameters')]).toEqual([call, null])
    }
  }
  expect(list.split('## ')[1]?.match(/^- /gm)).toHaveLength(10)
})

test('/llms-full.txt has the pages on using the API, and /robots.txt names both', async () => {
  const full = await read('/llms-full.txt')
  for (const title of ['# Getting started', '# Filters and units', '# Pagination', '# Webhooks'])
    expect(full).toContain(`\n${title}\n`)
  expect(full).not.toContain('written by npm run docs')
  const robots = await read('/robots.txt')
  expect(robots).toContain(`${server.baseUrl}/llms.txt`)
  expect(robots).toMatch(/^User-agent: \*\nDisallow: \/api\/$/m)
  expect(await read('/')).toContain('<a href="/llms.txt">')
})

test('each page links to the next and the previous one', async () => {
  for (const [at, { path: address }] of docsEntries.entries()) {
    const page = await read(address)
    expect(/rel="prev" href="([^"]+)"/.exec(page)?.[1]).toBe(docsEntries[at - 1]?.path)
    expect(/rel="next" href="([^"]+)"/.exec(page)?.[1]).toBe(docsEntries[at + 1]?.path)
  }
})

test('a signed-out reader is told how to fill in a key, and no page contains a key', async () => {
  const page = await read('/docs/filters')
  expect(page).toContain('<a href="/sign-in?next=%2Fdocs%2Ffilters">Sign in</a> to fill in your own key.')
  expect(page).not.toContain(server.demoKey)
})

test('plans and synonyms are those of the instance, and are escaped', async () => {
  const engine = createEngine()
  const settings = await engine.settings('few')
  const file = path.join(settings.DATA_DIR, 'synonyms.txt')
  const hostile = '<img src=x onerror=alert(1)>'
  await writeFile(
    file,
    `[dial_color]\nMidnight = ${hostile} \`x\` | <!-- end -->\nNoon = [a](javascript:1)\n`,
  )
  const own = await startTestServer(engine, { ...settings, SYNONYMS_FILE: file, PLAN_LIMITS: 'pro=4321' })
  const get = async (address: string) => (await fetch(own.baseUrl + address)).text()
  const filters = await get('/docs/filters')
  expect(filters).toContain('<code>Midnight</code>')
  expect(filters).toContain('&lt;img src')
  expect(filters).not.toMatch(/<img|href="javascript/)
  expect(filters).not.toContain('Self-winding movement')
  expect(await get('/docs/quotas')).toContain('4,321')
  expect(await get('/docs/quotas.md')).toContain('| 4,321 |')
  expect(await get('/docs')).toContain(`${own.baseUrl}/api/v1`)
})

test('every read-only endpoint can be tried, with its parameters', async () => {
  const page = await read('/docs/reference')
  const calls = [...page.matchAll(/data-try="([^"]+)"/g)].map(([, call = '']) =>
    JSON.parse(
      call
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>'),
    ),
  )
  const gets = [...page.matchAll(/<p><code>GET ([^<]+)<\/code><\/p>/g)].map(([, address = '']) => address)
  expect(gets.length).toBeGreaterThan(10)
  expect(calls.map((call) => call.path)).toEqual(gets)
  expect(calls[0]).toMatchObject({ path: '/watches', hasFilters: true })
})
