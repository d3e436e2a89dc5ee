// Provides the fixture of the webhook tests: a database with an account and a brand, a receiver, a manual clock, and
// senders that deliver what is due only when called.
import { onTestFinished } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { provideSecret } from '../../src/access/sign-in/session-secret.ts'
import { createBrand } from '../../src/catalogue/brands.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { createWatch, deleteWatches, readWatchesForUpdate } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import type { Config } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { createSealer } from '../../src/seal.ts'
import { openSender } from '../../src/sending/open-sender.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Sender } from '../../src/webhooks/delivery/sender.ts'
import type { EndpointDraft } from '../../src/webhooks/endpoints/endpoint-fields.ts'
import {
  changeEndpoint,
  createEndpoint,
  getEndpoint,
  noteChange,
} from '../../src/webhooks/endpoints/endpoints.ts'
import type { Engine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

export type WebhookFixture = Awaited<ReturnType<typeof openWebhookFixture>>

const allowed = { webhookAllowCidr: ['127.0.0.0/8'], webhookAllowHttp: true }

export async function openWebhookFixture(engine: Engine, options: { plan?: PlanName } = {}) {
  const config: Config = { ...(await freshConfig(engine, 'migrated')), ...allowed }
  const clock = manualClock()
  const database = await openUnmigrated(config)
  const sealer = createSealer(await provideSecret(database, config))
  const receiver: Receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const draft = { email: 'owner@example.com', name: 'Owner', plan: options.plan ?? 'platinum' }
  const accountId = await database.write((tx) => createAccount(tx, clock, draft))
  const brandId = await recordChanges(database, clock, (tx, record) =>
    createBrand(tx, clock, record, {
      name: 'Rolex',
      slug: 'rolex',
      aliases: [],
      country: null,
      founded_year: null,
      website: null,
    }),
  )
  const sender = await anotherSender()

  return {
    config,
    clock,
    database,
    sealer,
    receiver,
    accountId,
    brandId,
    sender,
    anotherSender,
    createWebhook,
    changeWebhook: (id: number, changes: Partial<EndpointDraft>) =>
      database.write((tx) => changeEndpoint(tx, clock, { accountId, id }, changes)),
    getWebhook: (id: number) => getEndpoint(database.reader, { accountId, id }),
    createWatches,
    setSpecs,
    setPrice,
    setPrices,
    deleteWatch: (id: number) =>
      recordChanges(database, clock, (tx, record) => deleteWatches(tx, record, [id])),
    pass,
    /** Makes senders reload the accounts' plans. They do so after a change to any webhook, or after a while. */
    untilPlansAreRead: () => database.write(noteChange),
    deliveries: () =>
      database.reader
        .selectFrom('webhook_deliveries')
        .selectAll()
        .orderBy('endpoint_id')
        .orderBy('event_id')
        .execute(),
    attempts: () =>
      database.reader.selectFrom('webhook_attempts').selectAll().orderBy('at').orderBy('attempt').execute(),
  }

  /** Opens a sender like another process's, optionally on its own database connection. It does nothing by itself. */
  async function anotherSender(own?: Database): Promise<Sender> {
    const log = openLog(config)
    const { sender, close } = await openSender({
      config,
      database: own ?? database,
      clock,
      log,
      // No jitter: retries come exactly as scheduled.
      random: () => 0.5,
      // Short, because each call of `pass` waits for it.
      gatherMs: 5,
    })
    onTestFinished(close)
    return sender
  }

  function createWebhook(changes: Partial<EndpointDraft> = {}, owner = accountId) {
    const draft: EndpointDraft = {
      endpoint_url: receiver.url,
      events: ['*'],
      filter: null,
      description: null,
      status: 'active',
      ...changes,
    }
    return database.write((tx) =>
      createEndpoint(tx, clock, sealer, { accountId: owner, draft, max: 100_000 }),
    )
  }

  /** Creates watches and returns their ids. */
  function createWatches(count: number, specs: Record<string, unknown> = {}): Promise<number[]> {
    return recordChanges(database, clock, async (tx, record) => {
      const ids: number[] = []
      for (let at = 0; at < count; at++) {
        const watch = {
          brand_id: brandId,
          collection: 'Submariner',
          reference_number: `R${at}`,
          retail_price_usd: null,
          current_market_price: null,
          specs,
        }
        ids.push(await createWatch(tx, clock, record, watch, { date: '2026-01-01', source: 'test' }))
      }
      return ids
    })
  }

  function setSpecs(id: number, specs: Record<string, unknown>): Promise<void> {
    return change([id], { specs: JSON.stringify(specs) })
  }

  function setPrice(id: number, retail_price_usd: number): Promise<void> {
    return setPrices([id], retail_price_usd)
  }

  function setPrices(ids: readonly number[], retail_price_usd: number): Promise<void> {
    return change(ids, { retail_price_usd })
  }

  function change(
    ids: readonly number[],
    next: { specs?: string; retail_price_usd?: number },
  ): Promise<void> {
    return recordChanges(database, clock, async (tx, record) => {
      const rows = await readWatchesForUpdate(tx, ids)
      if (rows.length < ids.length) throw new Error(`some of the watches ${ids} do not exist`)
      const parts = { tx, engine: database.engine, clock, record, brandName: () => 'Rolex', source: 'test' }
      await updateWatches(
        parts,
        rows.map((row) => ({ row, next: { ...row, ...next } })),
      )
    })
  }

  /** Advances the clock by `ms` and delivers what is due. */
  async function pass(ms: number): Promise<void> {
    clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
    await sender.deliverDue()
  }
}
