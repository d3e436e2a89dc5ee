// Tests that the package, installed from its tarball, does the same in every runtime as the sources do here.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { generateSecret } from '../../src/webhooks/secret.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { startPlanServer } from '../api/plan-server.ts'
import { receiverUrl } from '../api/webhook-server.ts'
import { launchOnce } from '../browser/launch.ts'
import { createEngine, describeWithChromium } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openFaultyServer } from './faulty-server.ts'
import { failTwice, serveProject } from './origins.ts'
import { packAndInstall } from './packed.ts'
import { useClient } from './program.js'
import { findRuntimes, runIn } from './runtimes.ts'

const sourcesImport = "'../../sdk/src/index.ts'"
const requires = `console.log(Object.keys(require('@watchdata/sdk')).sort().join())`
const engine = createEngine()
const runtimes = await findRuntimes()

const secret = generateSecret()
const body =
  '{"type":"watch.deleted","timestamp":"2026-03-01T12:00:00Z","data":{"watch_id":7,"brand":"Söhne"}}'
const sentAt = new Date('2026-03-01T12:00:00Z')
const headers = signatureHeaders('msg_1', sentAt, body, [secret])
const event = { body, headers, secret, now: '2026-03-01T12:04:00Z' }

const here = share(async () => {
  const env = { WEBHOOK_ALLOW_CIDR: '127.0.0.0/8', LOG_LEVEL: 'silent' }
  const [server, faulty, packed] = await Promise.all([
    startPlanServer(engine, env),
    openFaultyServer(failTwice()),
    packAndInstall(),
  ])
  const program = await readFile(path.join(import.meta.dirname, 'program.js'), 'utf8')
  await writeFile(path.join(packed.project, 'program.js'), program.replace(sourcesImport, "'@watchdata/sdk'"))
  await writeFile(path.join(packed.project, 'requires.cjs'), requires)
  /** Each run has an account of its own, so that all of them see the same. */
  const settingsOf = async (name: string) => ({
    baseUrl: server.baseUrl,
    apiKey: (await server.forOthers()).keys.platinum,
    faultyUrl: `${faulty.baseUrl}/${name}`,
    receiverUrl,
    event,
  })
  const expected = await useClient(await settingsOf('here'))
  return { ...packed, server, faulty, settingsOf, expected: JSON.parse(JSON.stringify(expected)) }
})

/** Writes the file that a runtime runs. */
async function writeMain(name: string): Promise<string> {
  const { project, settingsOf } = here()
  const file = `${name}.js`
  const settings = JSON.stringify(await settingsOf(name))
  const lines = [
    `import { useClient } from './program.js'`,
    `console.log(JSON.stringify(await useClient(${settings})))`,
  ]
  await writeFile(path.join(project, file), lines.join('\n'))
  return file
}

test('the program sees what the service has', async () => {
  const { server, expected } = here()
  const ask = async (request: string) => (await server.ask('platinum', request)).json()
  const { data: watch } = (await ask('/watches/1')) as { data: unknown }
  const { meta } = (await ask('/watches?brand=Omega')) as { meta: { total: number } }
  expect(expected.watch).toEqual(watch)
  expect(new Set(expected.ids).size).toBe(meta.total)
  expect(expected.lines).toBeGreaterThan(meta.total)
  expect(expected).toMatchObject({
    isCached: true,
    unknownKeys: 'dail_color; did_you_mean=dial_color',
    followed: [1, 2, 3],
    webhook: { status: 'paused', hasSecret: true, left: [] },
    event: { type: 'watch.deleted', bytes: JSON.parse(body), changed: { found: true } },
    refused: { name: 'ValidationError', found: true },
    missing: { name: 'NotFoundError', found: true },
    retried: 3,
    aborted: 'enough',
    late: { name: 'ConnectionError', message: 'GET /watches/404: no response within 100 ms' },
  })
})

describe.concurrent('the installed package', () => {
  for (const runtime of runtimes) {
    const why = runtime.missing === undefined ? '' : `, skipped: ${runtime.missing}`
    test.skipIf(runtime.missing)(`does the same in ${runtime.name}${why}`, async () => {
      const { project, server, faulty, expected } = here()
      const hosts = [server, faulty].map(({ baseUrl }) => new URL(baseUrl).host)
      const main = await writeMain(runtime.name.toLowerCase().replace(' ', '-'))
      expect(JSON.parse(await runIn(runtime, main, project, hosts))).toEqual(expected)
    })

    test.skipIf(runtime.missing)(`can be required in ${runtime.name}${why}`, async () => {
      const names = Object.keys(await import('../../sdk/src/index.ts')).toSorted()
      expect((await runIn(runtime, 'requires.cjs', here().project)).trim()).toBe(names.join())
    })
  }
})

describeWithChromium('the installed package', (executablePath) => {
  test('does the same in a page of another origin', async () => {
    const { project, expected } = here()
    const pages = await serveProject(project, await writeMain('chromium'))
    const context = await (await launchOnce(executablePath)).newContext()
    const page = await context.newPage()
    try {
      const printed = new Promise<string>((resolve, reject) => {
        page.on('console', (message) => message.type() === 'log' && resolve(message.text()))
        page.on('pageerror', reject)
      })
      await page.goto(pages.url)
      // The browser asks whether the second export is still the first, which costs nothing.
      expect(JSON.parse(await printed)).toEqual({ ...expected, used: expected.used - 1 })
    } finally {
      await context.close()
    }
  })
})
