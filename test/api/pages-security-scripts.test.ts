// Tests script injection in every field that is shown: pages escape it, and the app's embedded data cannot close its
// element.
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished, test } from 'vitest'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import { dashboardPage } from '../../web/pages/dashboard.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { createEngine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { sharePages } from './page-server.ts'
import { grantPlatinum, makeOperator, Person } from './person.ts'
import { startTestServer } from './running-server.ts'

const engine = createEngine()
const pages = sharePages(engine, async () => ({ WEBHOOK_ALLOW_CIDR: '127.0.0.0/8' }))
/** Closes an attribute, a tag, a script element and a comment, and opens a new element. */
const hostile = `'" wd-y="--></title></script><wd-x src=x onerror=alert(1)>`
const root = path.resolve(import.meta.dirname, '../..')

/** Returns the part of it that is in the page unescaped. */
function findRaw(text: string): string | undefined {
  return /<wd-x|" wd-y="|' wd-y=|--><\/title>/.exec(text)?.[0]
}

/** Starts a server with a malicious catalogue. */
async function startHostile() {
  const settings = await engine.settings('migrated')
  const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
  const row = { brand: `Rolex ${hostile}`, reference: `1${hostile}`, collection: hostile, name: hostile }
  const watches = [1, 2].map((at) => ({
    ...row,
    reference: `${at}${hostile}`,
    specs: { dial_color: hostile, [`key ${hostile}`]: `value ${hostile}`, case_size: `40 mm ${hostile}` },
    price: 100 * at,
    currency: 'USD',
  }))
  const lines = watches.map((watch) => JSON.stringify(watch)).join('\n')
  const imported = await importFiles({ database, clock: systemClock }, { 'a.ndjson': lines })
  expect(imported.created).toBe(2)
  const ids = await database.reader.selectFrom('watches').select('id').execute()
  const { slug } = await database.reader.selectFrom('brands').select('slug').executeTakeFirstOrThrow()
  const { baseUrl } = await startTestServer(engine, { ...settings }, systemClock)
  return { baseUrl, ids: ids.map(({ id }) => id), slug }
}

test('script in a watch, a brand or a query is escaped on every page of the catalogue', async () => {
  const { baseUrl, ids, slug } = await startHostile()
  const anyone = new Person(baseUrl)
  const [first, second] = ids
  const q = encodeURIComponent(hostile)
  let shown = 0
  for (const address of [
    '/',
    '/explore',
    `/explore?q=${q}`,
    `/explore?brand=${q}`,
    `/explore?specs.dial_color=${q}`,
    `/explore?${q}=${q}`,
    `/explore?sort=${q}&page=${q}&per_page=${q}`,
    `/explore?price_min=${q}`,
    '/explore/brands',
    `/explore/brands?q=${q}`,
    `/explore/brands/${slug}`,
    `/explore/brands/${q}`,
    `/explore/watches/${first}`,
    `/explore/watches/${q}`,
    `/explore/compare?ids=${first},${second}`,
    `/explore/compare?ids=${q}`,
    '/docs',
    '/docs/reference',
    `/docs/${q}`,
    `/${q}`,
    '/status',
  ]) {
    const { text } = await anyone.get(address)
    expect([address, findRaw(text)]).toEqual([address, undefined])
    if (text.includes('&lt;wd-x')) shown++
  }
  expect(shown).toBeGreaterThan(8)
})

test('script in a form field is escaped on the page that is returned', async () => {
  const eve = new Person(pages().baseUrl)
  const fields = {
    name: hostile,
    email: hostile,
    password: hostile,
    next: hostile,
    code: hostile,
    kind: hostile,
  }
  for (const address of ['/sign-up', '/sign-in', '/sign-in/code', '/sign-up/letter', '/forgot-password']) {
    const page = await eve.submit(address, fields)
    expect([address, page.status, findRaw(page.text)]).toEqual([address, 422, undefined])
    const query = new URLSearchParams(fields)
    expect([address, findRaw((await eve.get(`${address}?${query}`)).text)]).toEqual([address, undefined])
  }
  for (const address of ['/setup', '/reset-password']) {
    const { text } = await eve.submit(address, { ...fields, token: hostile })
    expect([address, findRaw(text)]).toEqual([address, undefined])
    const shown = await eve.get(`${address}?${new URLSearchParams({ token: hostile })}`)
    expect([address, findRaw(shown.text)]).toEqual([address, undefined])
  }
})

test('script in the names of an account, its keys, webhooks, browsers and calls is only data for the app', async () => {
  const server = pages()
  const olga = await makeOperator(server, hostile, { 'user-agent': `Mozilla ${hostile}` })
  await grantPlatinum(olga)
  for (const address of [
    '/dashboard',
    `/dashboard/${encodeURIComponent(hostile)}`,
    '/sign-out',
    '/',
    '/docs',
  ]) {
    expect([address, findRaw((await olga.get(address)).text)]).toEqual([address, undefined])
  }
  const { text } = await olga.get('/dashboard')
  const [, json = ''] = /id="start">([^<]*)<\/script>/.exec(text) ?? []
  expect(JSON.parse(json)).toMatchObject({ name: hostile, role: 'operator' })

  const made = await olga.ask<{ data: { key: string } }>('POST', '/api/account/keys', { name: hostile })
  const headers = { authorization: `Bearer ${made.data.key}` }
  await fetch(`${server.baseUrl}/api/v1/watches?q=${encodeURIComponent(hostile)}`, { headers })
  const hook = { events: ['watch.created'], description: hostile, filter: `q=${encodeURIComponent(hostile)}` }
  const endpoint_url = `https://127.0.0.1:9/${encodeURIComponent(hostile)}`
  await olga.ask('POST', '/api/account/webhooks', { ...hook, endpoint_url })
  const hooks = '/api/account/webhooks'
  for (const [address, held] of [
    ['/api/account', hostile],
    ['/api/account/keys', hostile],
    ['/api/account/requests', '%3Cwd-x'],
    [hooks, hostile],
    ['/api/auth/list-sessions', hostile],
  ] as const) {
    const answer = await olga.get(address)
    expect([address, answer.text]).toEqual([
      address,
      expect.stringContaining(JSON.stringify(held).slice(1, -1)),
    ])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
  const refused = await olga.send('POST', hooks, JSON.stringify({ ...hook, endpoint_url: hostile }), {
    'content-type': 'application/json',
  })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    422,
    expect.stringMatching(/^application\/json/),
  ])
})

test('no cell of an exported CSV starts a formula, and formulas are restored by the import', async () => {
  const { database } = await openFresh(engine)
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=HYPERLINK("https://evil.example")', '＝1']
  const watches = formulas.map((text, at) => ({
    brand: text,
    reference: `${text} ${at}`,
    collection: text,
    specs: { [text]: text },
  }))
  const lines = watches.map((watch) => JSON.stringify(watch)).join('\n')
  await importFiles({ database, clock: systemClock }, { 'a.ndjson': lines })
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-csv-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const subject of ['watches', 'brands'] as const) {
    const file = path.join(directory, `${subject}.csv`)
    await exportCatalogue(database, subject, file, parseOutputFormat(file, undefined))
    const rows = parse(readFileSync(file)) as string[][]
    expect(rows.length).toBeGreaterThan(1)
    // Negative numbers are allowed, nothing else.
    const texts = rows.flat().filter((cell) => !/^-\d+$/.test(cell))
    for (const cell of texts) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r]/)
  }
  const again = await importFiles(
    { database, clock: systemClock },
    { 'a.csv': readFileSync(path.join(directory, 'watches.csv')) },
  )
  expect(again).toMatchObject({ created: 0, updated: 0, rejected: 0 })
})

test('the embedded data of the app cannot close its element', () => {
  const assets = { style: '', icon: '', page: '', docs: '', explore: '', dashboard: '' }
  const texts = [
    hostile,
    '</script>',
    '<!--<script>',
    '<\\/SCRIPT >',
    ']]>',
    '\u2028\u2029',
    '&lt;/script&gt;',
  ]
  for (const text of texts) {
    const who = { email: text, name: text, role: 'consumer', plan: 'free' } as const
    const start = { ...who, baseUrl: text, sendsMail: true, hasExplorer: true }
    const page = dashboardPage({ assets, isOpen: true, visitor: start } as never, start)
    const [, json = ''] = /id="start">(.*?)<\/script>/is.exec(page) ?? []
    expect(JSON.parse(json)).toEqual(start)
    expect(json).not.toContain('<')
  }
})

test('our scripts never turn text into markup or code', () => {
  const files = globSync('web/{dashboard,scripts}/**/*.{ts,tsx}', { cwd: root })
  expect(files.length).toBeGreaterThan(0)
  const makers =
    /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc/
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const found = makers.exec(readFileSync(path.join(root, file), 'utf8'))?.[0]
    expect([file, found]).toEqual([file, undefined])
  }
})
