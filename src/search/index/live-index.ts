// In charge of keeping the index current: follows the change log, applies small changes in place, and has the index
// built anew aside when there are many, when the database below has been replaced, or when there is no room.
// Readers take `current` and never wait.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { readBrands } from '../../catalogue/brands.ts'
import { hasMoreWatches, readWatches } from '../../catalogue/watches.ts'
import { EpochEnded, follow } from '../../changes/follow.ts'
import { type Change, getHead } from '../../changes/log.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Database } from '../../storage/database.ts'
import { buildInWorker } from './build-in-worker.ts'
import { buildIndex } from './build-index.ts'
import { giveBackMemory } from './release-memory.ts'
import { WatchIndex } from './watch-index.ts'

export interface LiveIndex {
  readonly current: WatchIndex
  /** What is to be done with an index that was built anew before it takes the place of the present one. */
  beforeNext(prepare: Prepare): void
  /** Calls `hear` whenever the index has come further, after it has. */
  onAdvance(hear: () => void): void
  stop(): Promise<void>
}

type Prepare = (next: WatchIndex, signal: AbortSignal) => Promise<void>

export interface LiveIndexParts {
  readonly database: Database
  readonly config: Config
  readonly vocabulary: Vocabulary
  readonly metrics: Metrics
  readonly log: Log
}

const retryMs = 1_000
/** A catalogue of so many watches is built here, sooner than a thread would have started. */
const builtHereMax = 3_000
/** With more changes than this waiting, all is built anew aside: each one applied forgets what was remembered. */
const appliedMax = 2_000
/** An import is over when for so long… */
const calmMs = 250
/** …fewer changes came than this. */
const calmMax = 50
/** During an import a build is waited for so many times as long as the last one took. */
const waitedBuilds = 4
/** Changes applied between two turns of the event loop. */
const sliceMax = 16

export async function openLiveIndex(parts: LiveIndexParts): Promise<LiveIndex> {
  const { database, config, vocabulary, metrics, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cannot read the change log, will try again')
  const hearers: (() => void)[] = []
  let prepare: Prepare = async () => {}
  let builtInMs = 0
  let isBuiltInWorker = false
  let current = await build()
  // Later on it would hold up those who ask, and there is enough garbage to be collected without it.
  if (isBuiltInWorker) giveBackMemory()
  publish()
  const following = keepCurrent()

  return {
    get current() {
      return current
    },
    beforeNext(next) {
      prepare = next
    },
    onAdvance(hear) {
      hearers.push(hear)
    },
    async stop() {
      stopping.abort()
      await following
    },
  }

  async function build(): Promise<WatchIndex> {
    const startedMs = performance.now()
    isBuiltInWorker = await hasMoreWatches(database.reader, builtHereMax)
    const built = isBuiltInWorker
      ? await buildInWorker(config, signal)
      : await database.snapshot((view) => buildIndex(view, vocabulary))
    builtInMs = performance.now() - startedMs
    return new WatchIndex(built, vocabulary)
  }

  /** Until an import is over, but not for ever: while it lasts, one is built a fifth of the time at most. */
  async function untilCalm(): Promise<void> {
    const untilMs = performance.now() + builtInMs * waitedBuilds
    let { sequence } = await getHead(database.reader)
    while (performance.now() < untilMs) {
      await delay(calmMs, undefined, { signal })
      const next = await getHead(database.reader)
      if (next.sequence - sequence < calmMax) return
      sequence = next.sequence
    }
  }

  async function keepCurrent(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const batch of follow(database, current.head, { signal, onFailure })) {
          const isApplied = !(await isLarge(batch)) && (await applyInSlices(batch))
          if (!isApplied) {
            await rebuild('many changes at once', prepare)
            break
          }
        }
      } catch (error) {
        if (signal.aborted) return
        // What is served is of a database that is no more: the next one takes its place at once.
        if (error instanceof EpochEnded) {
          await rebuild('the database was replaced', async () => {}).catch(onFailure)
        } else onFailure(error)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Whether more is waiting than is applied in place; where it may be an import, told when that is over. */
  async function isLarge([first]: readonly Change[]): Promise<boolean> {
    const waiting = async () => (await getHead(database.reader)).sequence - (first?.sequence ?? 0)
    if ((await waiting()) < calmMax) return false
    await untilCalm()
    return (await waiting()) > appliedMax
  }

  /** False when a slice cannot be applied in place. */
  async function applyInSlices(batch: readonly Change[]): Promise<boolean> {
    for (let start = 0; start < batch.length; start += sliceMax) {
      if (!(await applySlice(batch.slice(start, start + sliceMax)))) return false
      publish()
      await setImmediate()
    }
    return true
  }

  async function applySlice(slice: readonly Change[]): Promise<boolean> {
    const subjects = (kind: string) =>
      new Set(slice.filter(({ type }) => type.startsWith(`${kind}.`)).map(({ subjectId }) => subjectId))
    const ids = [...subjects('watch')]
    const rows = ids.length === 0 ? [] : await readWatches(database.reader, ids)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const isBrandNew = rows.some(({ brand_id }) => current.brands.find(brand_id) === undefined)
    const brands = isBrandNew || subjects('brand').size > 0 ? await readBrands(database.reader) : undefined
    const last = slice.at(-1) as Change
    const { sequence: readAt } = await getHead(database.reader)
    return current.apply({
      watches: new Map(ids.map((id) => [id, byId.get(id)])),
      ...(brands === undefined ? {} : { brands }),
      sequence: last.sequence,
      readAt,
      at: last.at,
    })
  }

  async function rebuild(reason: string, prepareNext: Prepare): Promise<void> {
    const next = await build()
    await prepareNext(next, signal)
    current = next
    publish()
    log.info({ watches: current.size, reason }, 'the index is built anew')
  }

  function publish(): void {
    metrics.indexWatches.set(current.size)
    metrics.indexBytes.set(current.bytes)
    metrics.indexSequence.set(current.head.sequence)
    for (const hear of hearers) hear()
  }
}
