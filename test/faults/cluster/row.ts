// Runs one row of the drill: builds the rig, keeps the load, the writer and the receivers going, lets the fault strike,
// measures the recovery, and collects the figures.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type CatalogueState, readState } from '../catalogue-state.ts'
import type { Fault, Note } from './fault.ts'
import { type Load, loadOf } from './load-plan.ts'
import { openQuietly } from './open-quietly.ts'
import { PriceWriter } from './price-writer.ts'
import { ProcessClient } from './process-client.ts'
import { openReceivers, type Receivers } from './receivers.ts'
import { RecordingClient } from './recording-client.ts'
import { measureRecovery } from './recovery.ts'
import { openRig, type Rig } from './rig/rig.ts'
import type { Template } from './rig/template.ts'
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
const stallResolutionMs = 10
const usualRig = { postgres: 'single', redis: 'single', hasPgbouncer: false, clocks: [] } as const

interface Parts {
  readonly rig: Rig
  readonly receivers: Receivers
  readonly writer: PriceWriter
  /** The load, through haproxy. */
  readonly client: RecordingClient
  /** One for each process, past haproxy. */
  readonly clients: readonly ProcessClient[]
  /** A paused webhook, which is there to be changed. */
  readonly webhookId: number
}

export async function runRow(fault: Fault, plan: RowPlan, template: Template): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const load = loadOf(template.keys, plan.seconds * beforeShare, fault.seconds)
  const parts = await openParts(opened, fault, plan, template, load)
  const { rig, receivers, writer, client, clients } = parts
  const { notes, recovery, stallMs } = await strikeUnderLoad(fault, plan, parts)
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
    exports: await Promise.all(clients.map((one) => one.export().catch((error: Error) => error))),
    recovery,
    notes,
    stallMs,
    settleMs,
    ended,
  })
}

async function openParts(
  opened: AsyncDisposableStack,
  fault: Fault,
  { processes }: RowPlan,
  template: Template,
  { accounts, ownKey, planLimits }: Load,
): Promise<Parts> {
  const rig = await openRig({ ...usualRig, processes, planLimits, ...fault.rig }, template)
  opened.defer(() => rig.close())
  const receivers = await openReceivers()
  opened.defer(() => receivers.close())
  const clients = rig.processes.map(({ url }) => new ProcessClient(url, ownKey))
  const webhookId = await addWebhooks(clients[0] as ProcessClient, receivers)
  const database = await openQuietly(rig.database)
  opened.defer(() => database.close())
  const writer = new PriceWriter(database, template.watchIds)
  opened.defer(() => writer.stop())
  const client = new RecordingClient(rig.url, accounts, template.watchIds)
  opened.defer(() => client.close())
  return { rig, receivers, writer, client, clients, webhookId }
}

async function strikeUnderLoad(fault: Fault, { seconds }: RowPlan, parts: Parts) {
  const { rig, writer, client, clients, webhookId } = parts
  const notes: Note[] = []
  const note = (what: Note['what']) => void notes.push({ what, atMs: performance.now() })
  const stalls = monitorEventLoopDelay({ resolution: stallResolutionMs })
  stalls.enable()
  client.start()
  writer.start()
  await delay(seconds * beforeShare * 1_000)
  note('struck')
  await fault.strike({ rig, writer, note })
  note('mended')
  const recovery = await measureRecovery(rig, writer, clients, webhookId)
  await delay(seconds * (1 - beforeShare) * 1_000)
  await Promise.all([client.stop(), writer.stop()])
  stalls.disable()
  return { notes, recovery, stallMs: stalls.max / 1e6 }
}

/** Returns the id of a paused webhook, which is there to be changed. */
async function addWebhooks(client: ProcessClient, receivers: Receivers): Promise<number> {
  for (const url of receivers.urls) await client.createWebhook(url)
  return client.createWebhook('http://127.0.0.1:1/', 'paused')
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
