// Records the responses of the API examples: starts a service on a temporary database with the sample catalogue and a
// fixed clock, sends every example request and writes the responses to a file. Part of `npm run docs`.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAccount } from '../src/access/accounts/accounts.ts'
import { createKey } from '../src/access/keys/keys.ts'
import type { PlanName } from '../src/access/plans/plans.ts'
import { parseConfig } from '../src/config.ts'
import { exampleAddresses, writeExampleWebhooks } from '../src/http/contract/examples/example-webhook.ts'
import { type ExampleAnswer, examplesFile, examplesTakenAt } from '../src/http/contract/examples/examples.ts'
import { askExamples, fetchOptions } from '../src/http/contract/examples/request-examples.ts'
import { openLog } from '../src/log.ts'
import { startServer } from '../src/server.ts'
import { openDatabase } from '../src/storage/open-database.ts'

const root = path.resolve(import.meta.dirname, '..')

await writeFile(examplesFile, `${JSON.stringify(await askAll(), null, 2)}\n`)
// Formatted like every other file of the project; otherwise the format check would fail.
spawnSync(process.execPath, [
  path.join(root, 'node_modules/@biomejs/biome/bin/biome'),
  'format',
  '--write',
  examplesFile,
])

async function askAll(): Promise<Record<string, ExampleAnswer>> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-examples-'))
  const env = { DATA_DIR: directory, PORT: '0', DRAIN_MS: '0', LOG_LEVEL: 'silent' }
  const config = parseConfig({ ...env, ...exampleAddresses.env })
  const clock = { now: () => new Date(examplesTakenAt), nowMs: () => Date.parse(examplesTakenAt) }
  const server = await startServer(config, openLog(config), clock, exampleAddresses)
  const database = await openDatabase(config, openLog(config))
  const createKeyOn = (plan: PlanName) =>
    database.write(async (tx) => {
      const account = await createAccount(tx, clock, { email: `${plan}@localhost`, name: plan, plan })
      if (plan === 'platinum') await writeExampleWebhooks(tx, account)
      return createKey(tx, clock, account, 'examples')
    })
  try {
    const keys = {
      free: server.demoKey,
      pro: await createKeyOn('pro'),
      platinum: await createKeyOn('platinum'),
    }
    return await askExamples((example, plan) => {
      const options = fetchOptions(example)
      const headers = { ...options.headers, authorization: `Bearer ${keys[plan]}` }
      return fetch(`${server.baseUrl}/api/v1${example.request}`, { ...options, headers })
    })
  } finally {
    await database.close()
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
}
