// Runs one row of the drill: builds the rig, keeps the load, the writer and the receivers going, lets the fault strike,
// measures the recovery, and collects the figures.
import { setTimeout as delay } from 'node:timers/promises'
import { type CatalogueState, readState } from '../catalogue-state.ts'
import type { Fault, Note } from './fault.ts'
import { type Load, loadOf } from './load-plan.ts'
import { openQuietly } from './open-quietly.ts'
import { PriceWriter } from './price-writer.ts'
import { openReceivers, type Receivers } from './receivers.ts'
import { RecordingClient } from './recording-client.ts'
import { measureRecovery } from './recovery.ts'
import { openRig, type Rig } from './rig.ts'
import { ServiceApi } from './service-api.ts'
import type { Template } from './template.ts'
import { becomes } from './until.ts'
import { type Figures, judge, priceChangesOf } from './verdict.ts'

export interface RowPlan {
  readonly processes: number
  /** How long the load goes on, besides the time of the fault itself. */
  readonly seconds: number
}

/** The claim of a sender that is gone expires after a minute: events are late until then, and lost only after it. */
const settleMaxMs = 90_000
/** The share of the load before the fault. */
const beforeShare = 0.4

export async function runRow(fault: Fault, plan: RowPlan, template: Template): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const beforeSeconds = plan.seconds * beforeShare
  const load = loadOf(template.keys, beforeSeconds, fault.seconds)
  const rig = await openRig(
    {
      processes: plan.processes,
      postgres: 'single',
      redis: 'single',
      hasPgbouncer: false,
      clocks: [],
      ...fault.rig,
      planLimits: load.planLimits,
    },
    template,
  )
  opened.defer(() => rig.close())
  const receivers = await openReceivers()
  opened.defer(() => receivers.close())
  const apis = rig.processes.map(({ url }) => new ServiceApi(url, load.ownKey))
  const webhookId = await addWebhooks(apis[0] as ServiceApi, receivers)
  const database = await openQuietly(rig.database)
  opened.defer(() => database.close())
  const writer = new PriceWriter(database, template.watchIds)
  const client = new RecordingClient(rig.url, load.accounts, template.watchIds)
  opened.defer(() => client.close())

  client.start()
  writer.start()
  await delay(beforeSeconds * 1_000)
  const notes: Note[] = []
  const note = (what: Note['what']) => void notes.push({ what, atMs: performance.now() })
  note('struck')
  await fault.strike({ rig, writer, note })
  note('mended')
  const recovery = await measureRecovery(rig, writer, apis, webhookId)
  await delay(plan.seconds * (1 - beforeShare) * 1_000)
  await Promise.all([client.stop(), writer.stop()])
  const ended = rig.processes.filter(({ isRunning }) => !isRunning).map(({ complaint }) => complaint)
  await spendTheRest(client, load)

  const state = await readTruth(rig)
  const settleMs = await settle(receivers, state)
  return judge({
    accounts: load.accounts,
    answers: client.answers,
    writes: writer.writes,
    state,
    delivered: receivers.compare(priceChangesOf(state)),
    exports: await Promise.all(apis.map((api) => api.export().catch((error: Error) => error))),
    recovery,
    notes,
    settleMs,
    ended,
    standIns: rig.standIns,
  })
}

/** Returns the id of a paused webhook, which is there to be changed. */
async function addWebhooks(api: ServiceApi, receivers: Receivers): Promise<number> {
  for (const url of receivers.urls) await api.createWebhook(url)
  return api.createWebhook('http://127.0.0.1:1/', 'paused')
}

/** Asks for more than is left, so that a count that was lost shows. */
async function spendTheRest(client: RecordingClient, { accounts, bounded }: Load): Promise<void> {
  const all = bounded.map((account) => client.spend(account, (accounts[account]?.limit ?? 0) * 2))
  await Promise.all(all)
}

async function readTruth(rig: Rig): Promise<CatalogueState> {
  const database = await openQuietly({ DATABASE_URL: rig.primary().url })
  try {
    return await readState(database)
  } finally {
    await database.close()
  }
}

/** Waits until every receiver has every event. Returns how long that took. */
async function settle(receivers: Receivers, state: CatalogueState): Promise<number> {
  const startedMs = performance.now()
  const log = priceChangesOf(state)
  const hasAll = () => receivers.compare(log).every(({ lost }) => lost === 0)
  await becomes(hasAll, settleMaxMs)
  return performance.now() - startedMs
}
