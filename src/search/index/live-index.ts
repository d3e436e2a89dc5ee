// Keeps the index current: follows the change log and applies small changes in place. Rebuilds the index, in a worker
// thread if the catalogue is large, when there are many changes, when the database was replaced, or when a change
// cannot be applied in place. Readers take `current` and never wait.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { CacheBudget } from '../../cache-budget.ts'
import { readBrands } from '../../catalogue/brands.ts'
import { hasMoreWatches, readWatches } from '../../catalogue/watches.ts'
import { follow, LogReplaced } from '../../changes/follow.ts'
import { type Change, getHead } from '../../changes/log.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Database } from '../../storage/database.ts'
import { buildInWorker, releaseMemory } from './build-in-worker.ts'
import { buildIndex } from './build-index.ts'
import type { FairTurns } from './fair-turns.ts'
import { type CatalogueChange, WatchIndex } from './watch-index.ts'

export interface LiveIndex {
  readonly current: WatchIndex
  /** Sets a function that is run on a rebuilt index before it replaces the current one. */
  beforeNext(prepare: Prepare): void
  /** Calls `hear` after every time the index has advanced in the change log. */
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
  readonly budget: CacheBudget
  readonly turns: FairTurns
}

const retryMs = 1_000
/** A catalogue of up to this many watches is indexed in this thread: starting a worker would take longer. */
const builtHereMax = 3_000
/** With more pending changes than this, the index is rebuilt: applying a slice of them in place clears the cache. */
const appliedMax = 2_000
/** An import counts as finished if in this time… */
const calmMs = 250
/** …fewer changes than this were logged. */
const calmMax = 50
/** During an import, a rebuild is delayed by at most this many times the duration of the last build. */
const waitedBuilds = 4
/** Changes applied per iteration of the event loop. */
const sliceMax = 16

export async function openLiveIndex(parts: LiveIndexParts): Promise<LiveIndex> {
  const { database, config, vocabulary, metrics, log, budget, turns } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cannot read the change log, will retry')
  const hearers: (() => void)[] = []
  let prepare: Prepare = async () => {}
  let builtInMs = 0
  let isBuiltInWorker = false
  let current = await build()
  current.shareCaches()
  // Only at startup: later a full collection would delay requests, and normal garbage collection releases the memory.
  if (isBuiltInWorker) releaseMemory()
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
    return new WatchIndex(built, vocabulary, budget, turns)
  }

  /** Waits until an import has finished, up to a limit. During a long import, builds take at most 1/5 of the time. */
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
        // The current index is of a database that no longer exists: replace it at once, without `prepare`.
        if (error instanceof LogReplaced) {
          await rebuild(
            'the change log is another one: the database was restored, or a failover lost changes',
            async () => {},
          ).catch(onFailure)
        } else onFailure(error)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  /** Returns whether more changes are pending than are applied in place. Waits for the end of a possible import. */
  async function isLarge([first]: readonly Change[]): Promise<boolean> {
    const waiting = async () => (await getHead(database.reader)).sequence - (first?.sequence ?? 0)
    if ((await waiting()) < calmMax) return false
    await untilCalm()
    return (await waiting()) > appliedMax
  }

  /** Returns false if a slice cannot be applied in place. */
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
    const change: CatalogueChange = {
      watches: new Map(ids.map((id) => [id, byId.get(id)])),
      brands,
      sequence: last.sequence,
      commitId: last.commitId,
      readAt,
      at: last.at,
    }
    return turns.between(() => current.apply(change))
  }

  async function rebuild(reason: string, prepareNext: Prepare): Promise<void> {
    const next = await build()
    await prepareNext(next, signal)
    current.isReplaced = true
    current = next
    current.shareCaches()
    publish()
    log.info({ watches: current.size, reason }, 'rebuilt the index')
  }

  function publish(): void {
    metrics.indexWatches.set(current.size)
    metrics.indexBytes.set(current.rows.bytes)
    metrics.indexSequence.set(current.head.sequence)
    for (const hear of hearers) hear()
  }
}
