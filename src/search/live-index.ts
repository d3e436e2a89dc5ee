// In charge of keeping the index current: follows the change log, applies small changes in place, and has the index
// built anew aside when there are many, when the database below has been replaced, or when there is no room.
// Readers take `current` and never wait.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { readBrands } from '../catalogue/brands.ts'
import { hasMoreWatches, readWatches } from '../catalogue/watches.ts'
import { EpochEnded, follow } from '../changes/follow.ts'
import { type Change, getHead } from '../changes/log.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Vocabulary } from '../specs/vocabulary.ts'
import type { Database } from '../storage/database.ts'
import { buildAside } from './build-aside.ts'
import { buildIndex } from './build-index.ts'
import { WatchIndex } from './watch-index.ts'

export interface LiveIndex {
  readonly current: WatchIndex
  stop(): Promise<void>
}

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
/** With more changes than this waiting, all is built anew aside. */
const appliedMax = 2_000
/** Changes applied between two turns of the event loop. */
const sliceMax = 16

export async function openLiveIndex(parts: LiveIndexParts): Promise<LiveIndex> {
  const { database, config, vocabulary, metrics, log } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cannot read the change log, will try again')
  let current = await build()
  publish(current, metrics)
  const following = keepCurrent()

  return {
    get current() {
      return current
    },
    async stop() {
      stopping.abort()
      await following
    },
  }

  async function build(): Promise<WatchIndex> {
    const built = (await hasMoreWatches(database.reader, builtHereMax))
      ? await buildAside(config, signal)
      : await database.snapshot((view) => buildIndex(view, vocabulary))
    return new WatchIndex(built, vocabulary)
  }

  async function keepCurrent(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const batch of follow(database, current.head, { signal, onFailure })) {
          const isApplied = !(await isLarge(batch)) && (await applyInSlices(batch))
          if (!isApplied) {
            await rebuild('many changes at once')
            break
          }
        }
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof EpochEnded) await rebuild('the database was replaced').catch(onFailure)
        else onFailure(error)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async function isLarge(batch: readonly Change[]): Promise<boolean> {
    const { sequence } = await getHead(database.reader)
    return sequence - (batch[0]?.sequence ?? sequence) > appliedMax
  }

  /** False when a slice cannot be applied in place. */
  async function applyInSlices(batch: readonly Change[]): Promise<boolean> {
    for (let start = 0; start < batch.length; start += sliceMax) {
      if (!(await applySlice(batch.slice(start, start + sliceMax)))) return false
      publish(current, metrics)
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

  async function rebuild(reason: string): Promise<void> {
    current = await build()
    publish(current, metrics)
    log.info({ watches: current.size, reason }, 'the index is built anew')
  }
}

function publish(index: WatchIndex, metrics: Metrics): void {
  metrics.indexWatches.set(index.size)
  metrics.indexBytes.set(index.bytes)
  metrics.indexSequence.set(index.head.sequence)
}
