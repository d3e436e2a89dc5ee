// The drill "webhooks arrive": one receiver is down for 72 hours, another rejects every eleventh request, and the
// sender is killed three times. In the end both must have every event, in order for each watch, with valid signatures.
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { provideSecret } from '../../src/access/sign-in/session-secret.ts'
import { createBrand } from '../../src/catalogue/brands.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { createWatch, readWatchesForUpdate } from '../../src/catalogue/watches.ts'
import { getHead, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import { type Config, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { createSealer } from '../../src/seal.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoints.ts'
import { findFreePort } from '../programs/free-port.ts'
import { openReceiver, type Received, type Receiver } from '../webhooks/webhook-receiver.ts'
import type { Drill } from './drill.ts'
import { type DrillEngine, onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { KillableSender } from './processes/killable-sender.ts'

interface WebhookPlan {
  readonly events: number
  readonly hours: number
  readonly watches: number
}

export interface WebhookReport {
  readonly events: number
  readonly kills: number
  /** All requests, including rejected ones and duplicates. */
  readonly requests: number
  readonly duplicates: number
  readonly findings: readonly string[]
}

interface Subscription {
  readonly name: string
  readonly secret: string
  readonly received: Received[]
}

const defaults = { events: 10_000, hours: 72, watches: 500 }
const hourMs = 3_600_000
const minuteMs = 60_000
const claimMaxMs = 4_000
const settleMaxMs = 60_000
const settleCheckMs = 20
/** The time allowed for catching up after the receiver is up again. */
const catchUpMaxHours = 30
const findingsShown = 5
/** A prime number, so that the rejections vary between watches. */
const refusedEvery = 11

export const webhooksDrill: Drill = {
  description:
    'a receiver down for 72 h, another rejecting some, the sender killed 3 times: every event, in order',
  flags: '--events 10000 --hours 72 --watches 500 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async (engine) => {
      const startedMs = performance.now()
      const { events, kills, requests, duplicates, findings } = await deliverThroughFaults(engine, numbers)
      const seconds = (performance.now() - startedMs) / 1_000
      const lines = [
        `${engine.name}: ${events} events to 2 receivers, one down for ${numbers.hours} h, ${kills} kills: ${requests} requests, ${duplicates} duplicates, ${findings.length} findings (missing, out of order, bad signature), ${seconds.toFixed(1)} s`,
        ...findings.slice(0, findingsShown).map((one) => `  ${one}`),
      ]
      process.stdout.write(`${lines.join('\n')}\n`)
      return findings.length === 0
    })
  },
}

export async function deliverThroughFaults(
  { settings }: Pick<DrillEngine, 'settings'>,
  plan: WebhookPlan,
): Promise<WebhookReport> {
  const environment = {
    ...settings,
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  }
  const config = parseConfig(environment)
  const database = await openDatabase(config, openLog(config))
  const course = new Course(database, config, environment)
  try {
    return await course.run(plan)
  } finally {
    await course.close()
    await database.close()
  }
}

class Course {
  readonly #database: Database
  readonly #config: Config
  readonly #sender: KillableSender
  readonly #clock: Clock
  readonly #receivers: Receiver[] = []
  readonly #subscriptions: Subscription[] = []
  readonly #findings: string[] = []
  #nowMs = Date.parse('2026-03-01T00:00:00.000Z')
  #kills = 0
  #price = 0

  constructor(database: Database, config: Config, environment: Record<string, string | undefined>) {
    this.#database = database
    this.#config = config
    this.#clock = { now: () => new Date(this.#nowMs), nowMs: () => this.#nowMs }
    this.#sender = new KillableSender(environment, this.#nowMs)
  }

  async run({ events, hours, watches }: WebhookPlan): Promise<WebhookReport> {
    await migrate(this.#database, this.#clock)
    const watchIds = await this.#makeCatalogue(watches)
    const downPort = await findFreePort()
    await this.#makeWebhooks(downPort)
    const { sequence: first } = await getHead(this.#database.reader)
    await this.#sender.start()
    for (let hour = 0; hour < hours; hour++) {
      const until = Math.floor((events * (hour + 1)) / hours)
      await this.#changePrices(watchIds, until - this.#price)
      const isKilled = hour === Math.floor(hours / 3) || hour === Math.floor((2 * hours) / 3)
      // Wakes the sender now instead of at its next poll.
      this.#move(0)
      if (isKilled) await this.#killWhileSending(1, Math.ceil(events / hours / 4))
      else await this.#settle()
      this.#move(hourMs)
    }
    await this.#settle()
    await this.#receive(downPort, 0)
    await this.#catchUp(events)
    const { sequence: last } = await getHead(this.#database.reader)
    for (const subscription of this.#subscriptions) this.#check(subscription, first, last)
    const received = this.#subscriptions.flatMap((one) => one.received)
    return {
      events,
      kills: this.#kills,
      requests: received.length,
      duplicates: received.filter(({ status }) => status < 300).length - 2 * events,
      findings: this.#findings,
    }
  }

  async close(): Promise<void> {
    await this.#sender.kill()
    for (const receiver of this.#receivers) await receiver.close()
  }

  async #makeWebhooks(downPort: number): Promise<void> {
    const draft = { email: 'drill@example.com', name: 'Drill', plan: 'platinum' as const }
    const accountId = await this.#database.write((tx) => createAccount(tx, this.#clock, draft))
    const sealer = createSealer(await provideSecret(this.#database, this.#config))
    const make = async (name: string, endpoint_url: string) => {
      const webhook = {
        endpoint_url,
        events: ['*'],
        filter: null,
        description: null,
        status: 'active',
      } as const
      const { secret } = await this.#database.write((tx) =>
        createEndpoint(tx, this.#clock, sealer, { accountId, draft: webhook, max: 2 }),
      )
      this.#subscriptions.push({ name, secret, received: [] })
    }
    await make('the one that is down', `http://127.0.0.1:${downPort}/`)
    const flakyPort = await findFreePort()
    await make('the one that refuses some', `http://127.0.0.1:${flakyPort}/`)
    const flaky = await this.#receive(flakyPort, 1)
    let count = 0
    flaky.answer = () => (count++ % refusedEvery === 0 ? 500 : 204)
  }

  async #receive(port: number, at: number): Promise<Receiver> {
    const receiver = await openReceiver(port)
    const { secret, received, name } = this.#subscriptions[at] as Subscription
    receiver.received.push = (one: Received) => {
      if (!this.#verifies(secret, one)) this.#findings.push(`${name}: a signature does not verify`)
      return received.push(one)
    }
    this.#receivers.push(receiver)
    return receiver
  }

  /** The library compares the timestamp with Date.now, so it is replaced by the drill's clock. */
  #verifies(secret: string, { text, headers }: Received): boolean {
    const { now } = Date
    Date.now = () => this.#nowMs
    try {
      new Webhook(secret).verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    } finally {
      Date.now = now
    }
  }

  /**
   * After the first receiver is up again: kills the sender while it catches up, then waits until both have all events.
   */
  async #catchUp(events: number): Promise<void> {
    const all = () => this.#subscriptions.every(({ received }) => countTaken(received) >= events)
    let isKilled = false
    for (let minutes = 0; minutes < catchUpMaxHours * 60 && !all(); minutes += 5) {
      this.#move(5 * minuteMs)
      if (!isKilled) isKilled = await this.#killWhileSending(0, events / 4)
      await this.#settle()
    }
  }

  /** Kills the sender once a receiver has received `more` requests. Returns false if they did not arrive. */
  async #killWhileSending(at: number, more: number): Promise<boolean> {
    const { received } = this.#subscriptions[at] as Subscription
    const from = received.length
    const untilMs = performance.now() + settleMaxMs
    const isThere = async () => {
      for (let ms = 0; ms < settleCheckMs && received.length < from + more; ms++) await delay(1)
      return received.length >= from + more
    }
    while (!(await isThere())) {
      if (performance.now() > untilMs || (await this.#isSettled())) return false
    }
    await this.#sender.kill()
    this.#kills++
    // The dead sender's claims expire within this time.
    this.#move(claimMaxMs)
    await this.#sender.start()
    await this.#settle()
    return true
  }

  #move(ms: number): void {
    this.#nowMs += ms
    this.#sender.moveTo(this.#nowMs)
  }

  async #settle(): Promise<void> {
    const untilMs = performance.now() + settleMaxMs
    while (!(await this.#isSettled())) {
      if (performance.now() > untilMs) throw new Error('the sender did not finish in time')
      await delay(settleCheckMs)
    }
  }

  async #isSettled(): Promise<boolean> {
    const { reader } = this.#database
    const { sequence: head } = await getHead(reader)
    const { sequence } = await reader.selectFrom('webhook_fan_out').selectAll().executeTakeFirstOrThrow()
    const due = await reader
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('due_at', '<=', this.#clock.now().toISOString())
      .execute()
    return sequence >= head && due.length === 0
  }

  #makeCatalogue(watches: number): Promise<number[]> {
    const brand = {
      name: 'Rolex',
      slug: 'rolex',
      aliases: [],
      country: null,
      founded_year: null,
      website: null,
    }
    return recordChanges(this.#database, this.#clock, async (tx, record) => {
      const brand_id = await createBrand(tx, this.#clock, record, brand)
      const ids: number[] = []
      for (let at = 0; at < watches; at++) {
        const draft = {
          brand_id,
          collection: 'Submariner',
          reference_number: `R${at}`,
          retail_price_usd: 0,
          current_market_price: null,
          specs: { case_diameter: '40 mm', dial_color: 'Black', water_resistance: '300 m' },
        }
        const price = { date: '2026-03-01', source: 'drill' }
        ids.push(await createWatch(tx, this.#clock, record, draft, price))
      }
      return ids
    })
  }

  /** Makes `count` changes; each sets the price to the next number. */
  async #changePrices(watchIds: readonly number[], count: number): Promise<void> {
    await recordChanges(this.#database, this.#clock, async (tx, record) => {
      const rows = await readWatchesForUpdate(tx, watchIds)
      const byId = new Map(rows.map((row) => [row.id, row]))
      const { engine } = this.#database
      const parts = { tx, engine, clock: this.#clock, record, brandName: () => 'Rolex', source: 'drill' }
      for (let at = 0; at < count; at++) {
        const row = byId.get(watchIds[this.#price % watchIds.length] as number)
        if (row === undefined) throw new Error('a watch is missing')
        const next = { ...row, retail_price_usd: ++this.#price }
        await updateWatches(parts, [{ row, next }])
        byId.set(row.id, next)
      }
    })
  }

  #check({ name, received }: Subscription, first: number, last: number): void {
    const seen = new Set<number>()
    const lastOf = new Map<number, number>()
    for (const { body, status } of received) {
      const { sequence = 0, watch_id = 0 } = body.data
      if (status >= 300 || seen.has(sequence)) continue
      seen.add(sequence)
      if ((lastOf.get(watch_id) ?? 0) > sequence) {
        this.#findings.push(`${name}: ${sequence} of watch ${watch_id} came after ${lastOf.get(watch_id)}`)
      }
      lastOf.set(watch_id, sequence)
    }
    for (let sequence = first + 1; sequence <= last; sequence++) {
      if (!seen.has(sequence)) this.#findings.push(`${name}: ${sequence} is missing`)
    }
  }
}

function countTaken(received: readonly Received[]): number {
  return new Set(received.filter(({ status }) => status < 300).map(({ body }) => body.data.sequence)).size
}
