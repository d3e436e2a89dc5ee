// `npm run bench -- webhooks`: measures deliveries per second, from the committed change to the recorded success,
// compared with a bare undici loop that posts the same bodies to the same receiver in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAccount } from '../src/access/accounts/accounts.ts'
import { provideSecret } from '../src/access/sign-in/session-secret.ts'
import { loadSample, readSample } from '../src/catalogue/sample.ts'
import { recordChanges } from '../src/changes/log.ts'
import { systemClock } from '../src/clock.ts'
import { parseConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { createSealer } from '../src/seal.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import { createEndpoint } from '../src/webhooks/endpoints/endpoints.ts'
import { BadFlags, parseFlags } from '../test/faults/flags.ts'
import { medianOf } from './measure/load.ts'
import { BenchProcess } from './measure/processes.ts'
import { atLeast, printReport, tellStep } from './measure/report.ts'

const targetRatio = 0.4
const defaults = { endpoints: 10_000, changes: 3, rounds: 5 }
/** The webhook limit of the Platinum plan. */
const perAccount = 25
const runMaxMs = 300_000
const receiver = fileURLToPath(new URL('./baselines/bare-receiver.ts', import.meta.url))
const sending = fileURLToPath(new URL('./measure/webhook-sending.ts', import.meta.url))

export async function benchWebhooks(flags: string[]): Promise<void> {
  try {
    const { endpoints, changes, rounds } = parseFlags(flags, defaults).numbers
    await bench(endpoints, changes, rounds)
  } catch (error) {
    if (!(error instanceof BadFlags)) throw error
    const usage = 'npm run bench -- webhooks --endpoints 10000 --changes 3 --rounds 5'
    process.stderr.write(`${error.message}\n\nUsage: ${usage}\n`)
    process.exitCode = 2
  }
}

async function bench(endpoints: number, changes: number, rounds: number): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'watchdata-bench-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const received = new BenchProcess([process.execPath, receiver], { core: 'load', maxMs: runMaxMs })
  const port = (await received.line(/^listening/)).split(' ').at(-1)
  const url = `http://127.0.0.1:${port}/`
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  }
  tellStep(`creating ${endpoints} endpoints …`)
  await makeEndpoints(env, endpoints, url)
  const deliveries = endpoints * changes
  const run = (mode: 'service' | 'bare') => runOnce(mode, changes, url, env)
  await run('service')
  const ratios: number[] = []
  let told = ''
  for (let round = 1; round <= rounds; round++) {
    const [serviceMs, bareMs] = [await run('service'), await run('bare')]
    ratios.push(bareMs / serviceMs)
    told = `${rate(deliveries, serviceMs)} compared with ${rate(deliveries, bareMs)} deliveries/s`
    tellStep(`  round ${round}: ${told}`)
  }
  const count = Number(await (await fetch(url)).text())
  await received.stop()
  const expected = deliveries * (2 * rounds + 1)
  if (count !== expected) throw new Error(`the receiver got ${count} posts instead of ${expected}`)
  const name = `deliveries to ${endpoints} endpoints / bare undici loop`
  const isMet = printReport([{ name, ...atLeast(medianOf(ratios), targetRatio), details: told }], [])
  if (!isMet) process.exitCode = 1
}

async function runOnce(
  mode: 'service' | 'bare',
  changes: number,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const command = [process.execPath, sending, mode, String(changes), url]
  const running = new BenchProcess(command, { core: 'server', env, maxMs: runMaxMs })
  const took = await running.line(/^took/)
  await running.end()
  return Number(took.split(' ').at(-1))
}

async function makeEndpoints(env: Record<string, string>, count: number, url: string): Promise<void> {
  const config = parseConfig(env)
  const database = await openDatabase(config, openLog(config))
  await migrate(database, systemClock)
  const sample = await readSample()
  await recordChanges(database, systemClock, (tx, record) => loadSample(tx, systemClock, record, sample))
  const sealer = createSealer(await provideSecret(database, config))
  await database.write(async (tx) => {
    let accountId = ''
    for (let at = 0; at < count; at++) {
      if (at % perAccount === 0) {
        const account = { email: `bench-${at}@example.com`, name: 'Bench', plan: 'platinum' as const }
        accountId = await createAccount(tx, systemClock, account)
      }
      const draft = {
        endpoint_url: `${url}${at}`,
        events: ['*'],
        filter: null,
        description: null,
        status: 'active' as const,
      }
      await createEndpoint(tx, systemClock, sealer, { accountId, draft, max: perAccount })
    }
  })
  await database.close()
}

function rate(count: number, ms: number): string {
  return Math.round((count * 1_000) / ms).toLocaleString('en')
}
