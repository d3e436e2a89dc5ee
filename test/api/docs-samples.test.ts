// Tests that the samples in the docs and pages run: every request is sent as printed, except those that need a spent
// quota.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/config.ts'
import { exampleAddresses } from '../../src/http/contract/examples/example-webhook.ts'
import { parseSynonyms } from '../../src/specs/synonyms.ts'
import { docsEntries } from '../../web/pages/docs/docs-pages.ts'
import { apiCall } from '../../web/pages/layout/call.ts'
import { createEngine } from '../databases/engines.ts'
import { patience } from '../patience.ts'
import { layOutWebhooks } from './example-webhooks.ts'
import { startPlanServer } from './plan-server.ts'
import { serveSample } from './sample-server.ts'

const server = serveSample()
const engine = createEngine()
const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version'], patience).status === 0

function blocksOf(file: string, language: string): string[] {
  const docPage = readFileSync(path.join(packageRoot, 'docs', file), 'utf8')
  return [...docPage.matchAll(new RegExp(`^\`\`\`${language}[^\n]*\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) =>
      code
        .replaceAll('http://localhost:8080', server.baseUrl)
        .replaceAll('YOUR_API_KEY', server.demoKey ?? ''),
  )
}

/** Parses the request that curl would send; supports only the options that the docs use. */
function requestOf(command: string): {
  url: string
  method: string
  headers: Record<string, string>
  body?: string
} {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  const { values, positionals } = parseArgs({
    args: words.slice(1),
    allowPositionals: true,
    options: {
      get: { type: 'boolean', short: 'G' },
      include: { type: 'boolean', short: 'i' },
      compressed: { type: 'boolean' },
      request: { type: 'string', short: 'X', default: 'GET' },
      'dump-header': { type: 'string', short: 'D' },
      output: { type: 'string', short: 'o' },
      header: { type: 'string', short: 'H', multiple: true, default: [] },
      data: { type: 'string', short: 'd', multiple: true, default: [] },
      'data-urlencode': { type: 'string', multiple: true, default: [] },
    },
  })
  const encoded = values['data-urlencode'].map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return `${name}=${encodeURIComponent(value)}`
  })
  const query = [...values.data, ...encoded].join('&')
  const headers = values.header.map((line) => line.split(/:\s*(.*)/s) as [string, string])
  const sent = { method: values.request, headers: Object.fromEntries(headers) }
  const [url = ''] = positionals
  if (query === '') return { ...sent, url }
  return values.get ? { ...sent, url: `${url}?${query}` } : { ...sent, url, body: query }
}

/** Each curl command of a docs page, with the status of the response shown below it, if any. */
function samplesOf(file: string): { command: string; shown: string | undefined }[] {
  const docPage = readFileSync(path.join(packageRoot, 'docs', file), 'utf8')
  const blocks = [...docPage.matchAll(/^```(.*)\n([\s\S]*?)^```/gm)].map(([, info = '', code = '']) => ({
    info,
    code,
  }))
  return blocks.flatMap(({ info, code }, at) => {
    if (!info.startsWith('sh') || !code.startsWith('curl ')) return []
    const shown = /Response, status (\d+)/.exec(blocks[at + 1]?.info ?? '')?.[1]
    return [{ command: code, shown }]
  })
}

test('every curl command of every docs page gets the response shown', async () => {
  const house = await startPlanServer(engine, exampleAddresses.env)
  const samples = docsEntries.flatMap(({ file }) => samplesOf(file))
  expect(samples.length).toBeGreaterThan(60)
  for (const { command, shown } of samples.filter((sample) => sample.shown !== '429')) {
    await layOutWebhooks(house)
    const { url, ...options } = requestOf(
      command.replaceAll('YOUR_API_KEY', house.keys.platinum).replaceAll('THE_CURSOR', '0'),
    )
    const answer = await fetch(url.replace('http://localhost:8080', house.baseUrl), options)
    await answer.text()
    const expected = shown === undefined ? 'success' : shown
    expect([command, shown === undefined && answer.ok ? 'success' : String(answer.status)]).toEqual([
      command,
      expected,
    ])
  }
})

test.each(['getting-started.md', 'filters.md', 'pagination.md'])(
  'every curl command of %s gets 200 and the requested data',
  async (file) => {
    const commands = blocksOf(file, 'sh').filter((code) => code.startsWith('curl '))
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) {
      const { url, headers } = requestOf(command)
      const answer = await fetch(url, { headers })
      expect([command, answer.status]).toEqual([command, 200])
      const { meta } = (await answer.json()) as { meta: { total: number } }
      expect(meta.total > 0 || command.includes('dail_color')).toBe(true)
    }
  },
)

test('the response and links on the pagination page are those of its request', async () => {
  const [command = ''] = blocksOf('pagination.md', 'sh')
  const { url, headers } = requestOf(command)
  const answer = await fetch(url, { headers })
  const { meta } = (await answer.json()) as { meta: object }
  const [shown = ''] = blocksOf('pagination.md', 'json')
  expect(JSON.parse(shown)).toEqual({ meta })
  const [links = ''] = blocksOf('pagination.md', 'http')
  expect(links.trim().replaceAll(/\n\s+/g, ' ')).toBe(`Link: ${answer.headers.get('link')}`)
})

test.each([
  ['getting-started.md', 0],
  ['pagination.md', 0],
  ['clients.md', 1],
])('the TypeScript of %s runs as printed', async (file, at) => {
  const code = blocksOf(file, 'ts')[at] ?? ''
  expect(await runTypeScript(code)).not.toBe('')
})

test('the TypeScript of the explorer runs as printed', async () => {
  expect(await runTypeScript(explorerCall('ts'))).toContain('data:')
})

test.skipIf(!hasPython)('the Python of the explorer runs as printed (needs python3)', async () => {
  const { stdout, stderr } = await run('python3', ['-c', explorerCall('py')], patience)
  expect([stdout.startsWith("{'data': [{"), stderr]).toEqual([true, ''])
})

test.skipIf(!hasPython).each(['getting-started.md', 'clients.md'])(
  'the Python of %s runs as printed (needs python3)',
  async (file) => {
    const { stdout, stderr } = await run('python3', ['-c', blocksOf(file, 'python')[0] ?? ''], patience)
    expect([/^\d+ \S+\n$/.test(stdout), stderr]).toEqual([true, ''])
  },
)

async function runTypeScript(code: string): Promise<string> {
  const args = ['--input-type=module-typescript', '-e', code]
  const { stdout, stderr } = await run(process.execPath, args, patience)
  expect(stderr).toBe('')
  return stdout.trim()
}

/** The code as printed on the page of a search, with its quotes. */
function explorerCall(language: 'ts' | 'py'): string {
  const page = apiCall('here', server.baseUrl, '/watches?brand=Rolex&spec[dial_color]=black&per_page=1').text
  const [, code = ''] = new RegExp(`<code id="here-${language}">([\\s\\S]*?)</code>`).exec(page) ?? []
  return code
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('YOUR_API_KEY', server.demoKey ?? '')
}

test('the synonyms in the docs page are those of the built-in table', () => {
  const file = path.join(packageRoot, 'catalogue/synonyms.txt')
  const { groups } = parseSynonyms(readFileSync(file, 'utf8'), file)
  const docPage = readFileSync(path.join(packageRoot, 'docs/filters.md'), 'utf8')
  for (const { keys } of groups.filter(({ keys }) => !['*', 'words'].includes(keys[0] ?? ''))) {
    expect(docPage).toContain(`| ${keys.map((key) => `\`${key}\``).join(', ')} |`)
  }
})
