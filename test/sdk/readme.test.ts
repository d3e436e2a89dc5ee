// Tests that every sample of the SDK in its README and the docs compiles and runs as printed, against a real server.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { packageRoot } from '../../src/config.ts'
import { generateSecret } from '../../src/webhooks/secret.ts'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { startPlanServer } from '../api/plan-server.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { patience } from '../patience.ts'
import { routes } from './frameworks.ts'

const readme = readFileSync(path.join(packageRoot, 'sdk/README.md'), 'utf8')
const docPage = readFileSync(path.join(packageRoot, 'docs/clients.md'), 'utf8')
const [, docSample = ''] = /^```ts SDK\n(.*?)^```/ms.exec(docPage) ?? []
const samples = [...readme.matchAll(/^```ts ?(\w*)\n(.*?)^```/gms)].map(([, label = '', code = ''], at) => ({
  name: label === '' ? `sample-${at}` : label,
  code,
}))
const [opening] = samples
samples.push({ name: 'docs', code: docSample })
const directory = mkdtempSync(path.join(tmpdir(), 'watchdata-readme-'))
writeFileSync(path.join(directory, 'package.json'), '{"type":"module"}')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const open = share(() => startPlanServer(createEngine(), { LOG_LEVEL: 'silent' }))
const sdk = path.join(packageRoot, 'sdk/src/index.ts')
const frameworks = path.join(import.meta.dirname, 'frameworks.ts')

/** The sample as a module: with a client where it has none, and with the sources in place of the packages. */
function moduleOf(code: string, baseUrl: string): string {
  const whole =
    code.includes('client.') && !code.includes('const client') ? `${opening?.code}\n${code}` : code
  return whole
    .replaceAll(/https:\/\/watches\.example\.com|http:\/\/localhost:8080/g, baseUrl)
    .replaceAll("'YOUR_API_KEY'", "process.env.WATCHDATA_KEY ?? ''")
    .replaceAll("from '@watchdata/sdk'", `from '${pathToFileURL(sdk)}'`)
    .replace("import express from 'express'", `import { express } from '${pathToFileURL(frameworks)}'`)
    .replace("from 'hono'", `from '${pathToFileURL(frameworks)}'`)
}

function writeModule(folder: string, name: string, text: string): string {
  mkdirSync(path.join(directory, folder), { recursive: true })
  const file = path.join(directory, folder, `${name}.ts`)
  writeFileSync(file, `${text}\nexport {}\n`)
  return file
}

interface Ran {
  readonly printed: unknown[][]
  readonly exported: Record<string, unknown>
}

function codeOf(name: string): string {
  return samples.find((sample) => sample.name === name)?.code ?? ''
}

/** Runs a sample in this process, and returns what it printed and exports. */
async function runSample(name: string, code = codeOf(name)): Promise<Ran> {
  const { baseUrl, keys } = open()
  vi.stubEnv('WATCHDATA_KEY', keys.platinum)
  const printed: unknown[][] = []
  vi.spyOn(console, 'log').mockImplementation((...texts) => void printed.push(texts))
  const exported = await import(pathToFileURL(writeModule('run', name, moduleOf(code, baseUrl))).href)
  return { printed, exported }
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('every sample compiles', () => {
  const here = (file: string) => `./${path.relative(path.join(directory, 'types'), file)}`
  for (const { name, code } of samples) {
    const text = moduleOf(code, 'https://watches.example.com')
      .replaceAll(pathToFileURL(sdk).href, here(sdk))
      .replaceAll(pathToFileURL(frameworks).href, here(frameworks))
    writeModule('types', name, text)
  }
  const config = path.join(directory, 'types/tsconfig.json')
  const typeRoots = [path.join(packageRoot, 'node_modules/@types')]
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(packageRoot, 'tsconfig.json'),
      compilerOptions: { typeRoots },
      include: ['*.ts'],
    }),
  )
  const compiler = path.join(packageRoot, 'node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 0])
})

describe('a sample runs as printed', () => {
  const plain = samples.filter(({ name }) => name.startsWith('sample-'))

  test.each(plain.filter(({ code }) => !code.includes('webhooks')).map(({ name }) => name))(
    '%s',
    async (name) => {
      const { printed } = await runSample(name)
      const isSilent = name === plain.at(-1)?.name
      expect(printed.length > 0).toBe(!isSilent)
      expect(printed.flat()).not.toContain(undefined)
    },
  )

  test('of the docs', async () => {
    const { printed } = await runSample('docs')
    expect(printed.length).toBeGreaterThan(2)
    expect(printed.flat()).not.toContain(undefined)
  })

  test('which creates a webhook', async () => {
    const { name = '', code = '' } = plain.find((sample) => sample.code.includes('webhooks.create')) ?? {}
    // No test resolves names of other machines: an address stands for the host.
    const { printed } = await runSample(name, code.replace('https://example.com/', 'https://93.184.215.14/'))
    expect(printed[0]?.[0]).toMatch(/^whsec_/)
    expect(printed[1]).toEqual(['webhook.test', expect.any(String)])
  })

  test('which keeps a copy', async () => {
    const { baseUrl, keys } = open()
    const file = writeModule('run', 'copy', moduleOf(codeOf('copy'), baseUrl))
    const program = spawn(process.execPath, [file], { env: { ...process.env, WATCHDATA_KEY: keys.platinum } })
    onTestFinished(() => void program.kill())
    let output = ''
    program.stdout.on('data', (text) => {
      output += text
    })
    await vi.waitFor(() => expect(output).toMatch(/^\d{3} watches\n$/), patience)
    program.kill()
    const [exitCode, signal] = await once(program, 'exit')
    expect([exitCode, signal]).toEqual([null, 'SIGTERM'])
  })
})

describe('a sample verifies events', () => {
  const secret = generateSecret()
  const body = '{"type":"watch.price_changed","timestamp":"","data":{"sequence":1,"watch_id":7,"changes":{}}}'
  const headers = signatureHeaders('msg_1', new Date(), body, [secret])
  const requestOf = (text: string) =>
    new Request('https://example.com/events', { method: 'POST', body: text, headers })

  test('with Express', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret)
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { printed } = await runSample('express')
    const statuses: number[] = []
    const response = { sendStatus: (status: number) => void statuses.push(status) }
    for (const text of [body, `${body} `])
      await routes.express?.({ body: Buffer.from(text), headers }, response)
    expect(statuses).toEqual([204, 400])
    expect(printed).toEqual([[7, {}]])
  })

  test('with Hono', async () => {
    const { exported } = await runSample('hono')
    const app = exported.default as { fetch(request: Request, env: object): Promise<Response> }
    const statusOf = async (text: string) =>
      (await app.fetch(requestOf(text), { WEBHOOK_SECRET: secret })).status
    expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 400])
  })

  test('with Next.js', async () => {
    vi.stubEnv('WEBHOOK_SECRET', secret)
    const { exported } = await runSample('next')
    const post = exported.POST as (request: Request) => Promise<Response>
    const statusOf = async (text: string) => (await post(requestOf(text))).status
    expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 400])
  })
})
