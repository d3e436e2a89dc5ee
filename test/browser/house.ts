// Starts a service with users for the browser tests: an operator, a customer on Pro with keys, calls, errors, webhooks
// and deliveries, and a newcomer with nothing. All data is created over HTTP or by commands, as in production.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import { compileCache } from '../compile-cache.ts'
import { patience } from '../patience.ts'
import { lightCost } from '../sign-in/light-password.ts'
import { openReceiver, type Receiver } from '../webhooks/webhook-receiver.ts'
import { Person } from './person.ts'

const run = promisify(execFile)

export interface House {
  readonly server: RunningServer
  readonly baseUrl: string
  readonly dataDir: string
  readonly receiver: Receiver
  /** A customer on Pro with data. */
  readonly ada: Person
  /** A new customer on Free. */
  readonly newcomer: Person
  readonly operator: Person
  readonly nobody: Person
  close(): Promise<void>
}

export const password = 'a long enough password'

/** Starts the service with only an operator. */
export async function buildHouse(env: Record<string, string> = {}): Promise<House> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'watchdata-house-'))
  const receiver = await openReceiver()
  const config = parseConfig({
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_MS: '0',
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    // All browsers share one address, which has a number of views per day otherwise.
    EXPLORER: 'open',
    ...env,
  })
  const server = await startServer(config, openLog(config), systemClock, { passwordCost: lightCost })
  const { baseUrl } = server
  const someone = () => new Person(baseUrl)
  const [ada, newcomer, operator, nobody] = [someone(), someone(), someone(), someone()]
  await operator.setUp(server.setupUrl ?? '', 'olga@example.com', 'Olga Operator', password)
  return {
    server,
    baseUrl,
    dataDir,
    receiver,
    ada,
    newcomer,
    operator,
    nobody,
    async close() {
      await server.close()
      await receiver.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates all the data that the pages can show. */
export async function moveIn(house: House): Promise<void> {
  const { ada, newcomer, operator } = house
  await ada.signUp('ada@example.com', 'Ada Lovelace', password)
  await newcomer.signUp('nora@example.com', 'Nora Newcomer', password)
  await ada.ask('POST', '/api/account/plan-request', { plan: 'pro' })
  const [asked] = (await operator.ask('GET', '/api/operator/plan-requests')).data
  await operator.ask('POST', `/api/operator/plan-requests/${asked.id}/grant`)
  await newcomer.ask('POST', '/api/account/plan-request', { plan: 'platinum' })
  await bringPrices(house)
  await makeCalls(ada)
  await makeDeliveries(house)
}

const pricedDays = 13
const dayMs = 86_400_000

/** Imports a year of prices for the first watch, so that there is a chart to draw. */
async function bringPrices({ dataDir }: House): Promise<void> {
  const file = path.join(dataDir, 'prices.csv')
  const lines = Array.from({ length: pricedDays }, (_, at) => {
    const day = new Date(systemClock.nowMs() - (pricedDays - 1 - at) * 28 * dayMs).toISOString().slice(0, 10)
    return `A. Lange & Söhne,191.032,${day},${41_000 + 250 * Math.floor(at / 4)},${30_500 + 400 * at - (at % 3) * 900}`
  })
  await writeFile(file, ['brand,reference,date,retail,market', ...lines, ''].join('\n'))
  const command = path.resolve(import.meta.dirname, '../../src/cli/main.js')
  await run(process.execPath, [command, 'import-prices', file], {
    // Not the environment of the tests, which sets variables of its own.
    env: { PATH: process.env.PATH, ...compileCache, DATA_DIR: dataDir },
  })
}

const asked = [
  ['/watches?spec[dial_color]=blue&per_page=5', 12],
  ['/watches?spec[water_resistance][gte]=10+bar&sort=-retail_price_usd', 6],
  ['/brands?sort=-watches_count', 4],
  ['/watches/1/prices', 3],
  ['/watches/999999', 2],
  ['/watches?per_page=1000', 2],
  ['/export', 1],
] as const

async function makeCalls(ada: Person): Promise<void> {
  const { key } = (await ada.ask('POST', '/api/account/keys', { name: 'Production' })).data
  const old = (await ada.ask('POST', '/api/account/keys', { name: 'Staging', expires_in_days: 5 })).data
  const gone = (await ada.ask('POST', '/api/account/keys', { name: 'Laptop' })).data
  await ada.ask('DELETE', `/api/account/keys/${gone.id}`)
  for (const [path, times] of asked) for (let time = 0; time < times; time++) await ada.call(key, path)
  await ada.call(old.key, '/usage')
}

async function makeDeliveries({ ada, receiver }: House): Promise<void> {
  const make = (body: object) => ada.ask('POST', '/api/account/webhooks', body)
  const good = await make({ endpoint_url: `${receiver.url}prices`, description: 'Price alerts' })
  const bad = await make({
    endpoint_url: `${receiver.url}broken`,
    events: ['watch.*'],
    filter: 'spec[dial_color]=blue',
  })
  receiver.answer = (_event, path) => (path === '/broken' ? 500 : 204)
  for (const { data } of [good, bad, good]) await ada.ask('POST', `/api/account/webhooks/${data.id}/test`)
  await until(() => receiver.received.length >= 3)
}

const stepMs = 25

/** Polls until `isSo` returns true: work in another thread or process does not report its end. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + patience.timeout
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('the expected condition did not become true in time')
    await new Promise((resolve) => setTimeout(resolve, stepMs))
  }
}
