// Keeps the index current: follows the change log and applies changes in place. Rebuilds the index, in a worker thread if
// the catalogue is large, when a large share of the catalogue has changed, when the database was replaced, or when a
// change cannot be applied in place. Readers take `current` and never wait.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { CacheBudget } from '../../cache-budget.ts'
import { hasMoreWatches } from '../../catalogue/watches.ts'
import { follow, LogReplaced } from '../../changes/follow.ts'
import { Lag } from '../../changes/lag.ts'
import { type Change, countPriceChanges, getHead } from '../../changes/log.ts'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Database } from '../../storage/database.ts'
import { isUnreachable } from '../../storage/unreachable.ts'
import { buildInWorker, releaseMemory } from '../index/build-in-worker.ts'
import { buildIndex } from '../index/build-index.ts'
import type { FairTurns } from '../index/fair-turns.ts'
import { WatchIndex } from '../index/watch-index.ts'
import { applyInSlices, applyPrices } from './apply-changes.ts'
import type { ChangeBatch } from './change-batch.ts'
import { otherCost } from './change-slices.ts'
import { readChanges } from './read-changes.ts'

export interface LiveIndex {
  readonly current: WatchIndex
  /** How long the first change that the index does not have yet has been known; undefined while that is unknown. */
  readonly lagMs: number | undefined
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
/**
 * Pending changes are applied in place if they cost no more than new prices of this share of the watches, or than this
 * in any case. Beyond that, a rebuild takes about as long, and leaves the caches alone until it is done.
 */
const appliedShare = 4
const appliedMin = 2_000 * otherCost
/** Changes read from the log at a time. */
const batchMax = 1_000
/** Changes counted at a time. */
const countedMax = 10_000
/** An import counts as finished if in this time… */
const calmMs = 250
/** …fewer changes than this were logged: to apply them in place takes at most a quarter of the time. */
const calmMax = 500
/** During an import, the index is left as it is for at most this many times the duration of the last build. */
const waitedBuilds = 4
/** And at most this share of the time for which the process may be behind and still counts as ready. */
const waitedShare = 1 / 2
/** While many changes are applied, those who wait for changes hear of them at most once in this time. */
const hearingMs = 50

export async function openLiveIndex(parts: LiveIndexParts): Promise<LiveIndex> {
  const { database, config, vocabulary, metrics, log, budget, turns } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const lag = new Lag()
  const hearers: (() => void)[] = []
  let prepare: Prepare = async () => {}
  let builtInMs = 0
  let heardMs = 0
  /** Up to here, it is decided that changes are applied in place. */
  let inPlaceThrough = 0
  /** And up to here, batches that have nothing but new prices. */
  let pricesInPlaceThrough = 0
  let isBuiltInWorker = false
  let current = await build()
  current.shareCaches()
  // Only at startup: later a full collection would delay requests, and normal garbage collection releases the memory.
  if (isBuiltInWorker) releaseMemory()
  publish()
  const keeping = keepCurrent()

  return {
    get current() {
      return current
    },
    get lagMs() {
      return lag.ms
    },
    beforeNext(next) {
      prepare = next
    },
    onAdvance(hear) {
      hearers.push(hear)
    },
    async stop() {
      stopping.abort()
      await keeping
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
    const waitMs = Math.min(builtInMs * waitedBuilds, config.readyLagMs * waitedShare)
    const untilMs = performance.now() + waitMs
    let { sequence } = await getHead(database.reader)
    while (performance.now() < untilMs) {
      await delay(calmMs, undefined, { signal })
      const next = await getHead(database.reader)
      lag.learn(next.sequence)
      if (next.sequence - sequence < calmMax) return
      sequence = next.sequence
    }
  }

  async function keepCurrent(): Promise<void> {
    const onRead = () => lag.learn(current.head.sequence)
    const following = { signal, batchMax, read: readChanges, onRead, onFailure }
    while (!signal.aborted) {
      try {
        for await (const batch of follow(database, current.head, following)) {
          lag.learn(batch.at(-1)?.sequence ?? 0)
          if ((await isLarge(batch)) || !(await apply(batch))) {
            await rebuild('many changes at once', prepare)
            break
          }
          publish()
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof LogReplaced && (await startOver())) continue
        if (!(error instanceof LogReplaced)) onFailure(error)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async function apply(batch: ChangeBatch): Promise<boolean> {
    const isAfterIndex = (batch.at(0)?.sequence ?? 0) > current.readAt
    if (isAfterIndex && batch.hasOnlyPrices) return applyPrices(current, batch, onSlice)
    return applyInSlices(database, current, batch, onSlice)
  }

  /** The current index is of a database that no longer exists: replaces it at once, without `prepare`. */
  async function startOver(): Promise<boolean> {
    lag.forget()
    const reason = 'the change log is another one: the database was restored, or a failover lost changes'
    const done = rebuild(reason, async () => {}).then(() => true)
    return done.catch((error) => {
      onFailure(error)
      return false
    })
  }

  function onFailure(error: unknown): void {
    if (isUnreachable(error)) lag.forget()
    log.warn({ err: error }, 'cannot read the change log, will retry')
  }

  /**
   * Returns whether more changes are pending than are applied in place. Waits for the end of a possible import, but not
   * for the end of new prices, which are applied as fast as they are written.
   */
  async function isLarge(batch: ChangeBatch): Promise<boolean> {
    const [first, last] = [batch.at(0), batch.at(-1)] as [Change, Change]
    if (last.sequence <= (batch.hasOnlyPrices ? pricesInPlaceThrough : inPlaceThrough)) return false
    let pending = await countPending(first.sequence - 1, batch.hasOnlyPrices)
    if (pending.others >= calmMax || pending.isLarge) {
      await untilCalm()
      pending = await countPending(first.sequence - 1, false)
    }
    if (pending.isLarge) return true
    pricesInPlaceThrough = pending.through
    if (pending.isCounted) inPlaceThrough = pending.through
    return false
  }

  /**
   * Counts the changes after a sequence, but only if it makes a difference. If they are as few as to be applied in place
   * when all are new prices, then a batch of new prices need not know what comes after it.
   */
  async function countPending(after: number, hasOnlyPrices: boolean) {
    const { sequence: through } = await getHead(database.reader)
    lag.learn(through)
    const costMax = Math.max(appliedMin, current.size / appliedShare)
    const count = through - after
    if (hasOnlyPrices && count <= costMax) return { through, others: 0, isLarge: false, isCounted: false }
    const prices = count >= calmMax && count <= costMax ? await countPrices(after, through) : 0
    const others = count - prices
    return { through, others, isLarge: prices + others * otherCost > costMax, isCounted: true }
  }

  /** Counts in steps: SQLite would hold the event loop. */
  async function countPrices(after: number, through: number): Promise<number> {
    let prices = 0
    for (let start = after; start < through; start += countedMax) {
      prices += await countPriceChanges(database.reader, start, Math.min(through, start + countedMax))
      await setImmediate()
    }
    return prices
  }

  async function rebuild(reason: string, prepareNext: Prepare): Promise<void> {
    const next = await build()
    await prepareNext(next, signal)
    current.isReplaced = true
    current = next
    current.shareCaches()
    inPlaceThrough = 0
    pricesInPlaceThrough = 0
    publish()
    log.info({ watches: current.size, reason }, 'rebuilt the index')
  }

  function onSlice(): void {
    if (performance.now() - heardMs >= hearingMs) publish()
    else lag.pass(current.head.sequence)
  }

  function publish(): void {
    lag.pass(current.head.sequence)
    metrics.indexWatches.set(current.size)
    metrics.indexBytes.set(current.rows.bytes)
    metrics.indexSequence.set(current.head.sequence)
    heardMs = performance.now()
    for (const hear of hearers) hear()
  }
}
