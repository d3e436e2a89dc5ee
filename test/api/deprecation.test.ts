// Tests the deprecation headers of v1: once its end is announced, every response under /api/v1 has them on every code
// path; before that, none has.
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { createEngine } from '../databases/engines.ts'
import { plentiful } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const engine = createEngine()
const announced = { V1_DEPRECATED_AT: '2027-01-01', V1_SUNSET_AT: '2028-01-01' }

async function serve(env: Record<string, string>) {
  const settings = {
    ...plentiful,
    ...(await engine.settings('few')),
    LOG_LEVEL: 'silent',
    PORT: '0',
    DRAIN_MS: '0',
  }
  const config = parseConfig({ ...settings, ...env })
  const server = await startServer(config, openLog(config), manualClock())
  onTestFinished(() => server.close())
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.baseUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${server.demoKey}`, 'accept-encoding': 'identity', ...headers },
    })
  return { ...server, ask }
}

test('every response has the three headers, on every code path and with any status', async () => {
  const { ask, baseUrl } = await serve(announced)
  const link = `<${baseUrl}/docs/versioning>; rel="deprecation"; type="text/html"`
  const preflight = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
  const answers = [
    [200, await ask('/watches')],
    // The second request has a cached key, and the third a cached answer.
    [200, await ask('/watches')],
    [200, await ask('/watches')],
    [200, await ask('/watches', { 'accept-encoding': 'gzip' })],
    [200, await ask('/watches/1')],
    [200, await ask('/usage')],
    [404, await ask('/watches/999999999')],
    [404, await ask('/nowhere')],
    [405, await ask('/watches', {}, 'DELETE')],
    [422, await ask('/watches?page=x')],
    [401, await ask('/watches', { authorization: 'Bearer nobody' })],
    [204, await ask('/watches', preflight, 'OPTIONS')],
    [400, await ask('/watches/%zz')],
  ] as const
  for (const [status, answer] of answers) {
    expect(answer.status).toBe(status)
    expect(answer.headers.get('deprecation')).toBe('@1798761600')
    expect(answer.headers.get('sunset')).toBe('Sat, 01 Jan 2028 00:00:00 GMT')
    expect(answer.headers.get('link')).toMatch(/rel="deprecation"; type="text\/html"(?:, |$)/)
  }
  expect(answers[4][1].headers.get('link')).toBe(link)
})

test('the paging links of a list are kept, cached or not, plain or compressed', async () => {
  const { ask, baseUrl } = await serve(announced)
  const [first, short] = [await ask('/watches?per_page=2'), await ask('/watches?per_page=2')]
  const long = await ask('/watches?per_page=2', { 'accept-encoding': 'gzip' })
  const links = short.headers.get('link')
  expect([first, long].map((answer) => answer.headers.get('link'))).toEqual([links, links])
  expect(links?.split(', ').map((one) => /rel="(\w+)"/.exec(one)?.[1])).toEqual([
    'deprecation',
    'first',
    'next',
    'last',
  ])
  expect((await fetch(`${baseUrl}/docs`)).headers.get('deprecation')).toBeNull()
})

test('before an announcement, no response has any of the headers', async () => {
  const { ask } = await serve({})
  for (const path of ['/watches', '/watches', '/watches/1', '/nowhere']) {
    const { headers } = await ask(path)
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null])
    expect(headers.get('link') ?? '').not.toContain('deprecation')
  }
})

test('a day can be announced before the end is known', async () => {
  const { ask } = await serve({ V1_DEPRECATED_AT: '2027-01-01T12:00:00Z' })
  const { headers } = await ask('/watches/1')
  expect([headers.get('deprecation'), headers.get('sunset')]).toEqual(['@1798804800', null])
})

test.each([
  [{ V1_DEPRECATED_AT: '2027-01-31', V1_SUNSET_AT: '2028-01-30' }, /at least 12 months/],
  [{ V1_SUNSET_AT: '2028-01-01' }, /needs V1_DEPRECATED_AT/],
  [{ V1_DEPRECATED_AT: '2027-02-30' }, /V1_DEPRECATED_AT must be a day/],
  [{ V1_DEPRECATED_AT: 'soon' }, /V1_DEPRECATED_AT must be a day/],
])('a start with %j is rejected with a sentence', async (env, words) => {
  await expect(serve(env as Record<string, string>)).rejects.toThrow(words)
})
