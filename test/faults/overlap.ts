// Runs eight concurrent writers: two in separate processes, and one with a long open transaction. They write until the
// time is up and finish what they have begun.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { getHead } from '../../src/changes/log.ts'
import type { Environment } from '../../src/config.ts'
import type { Database } from '../../src/storage/database.ts'
import { WriterProcess } from './processes/writer-process.ts'
import { type Said, writeLoop, writeSlowly } from './write-loop.ts'

export interface OverlapPlan {
  readonly runMs: number
  /** How long the slow transaction stays open. It begins after a quarter of the run. */
  readonly openMs: number
}

export interface Overlap {
  readonly said: readonly Said[]
  /** Changes that others committed while the slow transaction was open. */
  readonly meanwhile: number
  readonly seconds: number
}

const processes = 2
/** Eight writers, together with the slow one and the two processes. */
const loops = 5

export async function overlap(
  settings: Environment,
  plan: OverlapPlan,
  open: () => Promise<Database>,
): Promise<Overlap> {
  const startedMs = performance.now()
  const said: Said[] = []
  const tell = (one: Said) => void said.push(one)
  const stop = new AbortController()
  const children = Array.from(
    { length: processes },
    (_, index) => new WriterProcess(settings, `process-${index}`, 1),
  )
  let meanwhile = 0

  await settleAll(stop, plan.runMs, [
    writeSlowlyInTheMidst(),
    ...Array.from({ length: loops }, async (_, index) =>
      writeLoop(await open(), `loop-${index}`, tell, stop.signal),
    ),
    ...children.map((child) => once(stop.signal, 'abort').then(() => child.stop())),
  ])
  return {
    said: said.concat(...children.map((child) => child.said)),
    meanwhile,
    seconds: (performance.now() - startedMs) / 1_000,
  }

  async function writeSlowlyInTheMidst(): Promise<void> {
    const database = await open()
    const quarter = AbortSignal.any([stop.signal, AbortSignal.timeout(plan.runMs / 4)])
    await writeLoop(database, 'before-slow', tell, quarter)
    await writeSlowly(database, 'slow', tell, async () => {
      const before = await getHead(database.reader)
      await delay(plan.openMs)
      meanwhile = (await getHead(database.reader)).sequence - before.sequence
    })
    await writeLoop(database, 'after-slow', tell, stop.signal)
  }
}

/** Aborts when the time is up or a writer fails. All writers have ended when it resolves or throws. */
async function settleAll(stop: AbortController, maxMs: number, writers: Promise<unknown>[]): Promise<void> {
  const timer = setTimeout(() => stop.abort(), maxMs)
  for (const writer of writers) writer.catch(() => stop.abort())
  const outcomes = await Promise.allSettled(writers)
  clearTimeout(timer)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
