// In charge of keeping the index current: follows the change log, and builds anew when the database
// below has been replaced. Readers take `current` and never wait.
import { setTimeout as delay } from 'node:timers/promises'
import { EpochEnded, follow } from '../changes/follow.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Database } from '../storage/database.ts'
import { WatchIndex } from './watch-index.ts'

const retryMs = 1_000

export interface LiveIndex {
  readonly current: WatchIndex
  stop(): Promise<void>
}

export async function openLiveIndex(database: Database, metrics: Metrics, log: Log): Promise<LiveIndex> {
  const stopping = new AbortController()
  const { signal } = stopping
  const onFailure = (error: unknown) => log.warn({ err: error }, 'cannot read the change log, will try again')
  let current = await WatchIndex.load(database.reader)
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

  async function keepCurrent(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const batch of follow(database, current.head, { signal, onFailure })) {
          await current.apply(database.reader, batch)
          publish(current, metrics)
        }
      } catch (error) {
        if (error instanceof EpochEnded) await reload().catch(onFailure)
        else onFailure(error)
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  async function reload(): Promise<void> {
    current = await WatchIndex.load(database.reader)
    publish(current, metrics)
    log.info({ watches: current.size }, 'the database was replaced; the index is built anew')
  }
}

function publish(index: WatchIndex, metrics: Metrics): void {
  metrics.indexWatches.set(index.size)
  metrics.indexBytes.set(index.bytes)
  metrics.indexSequence.set(index.head.sequence)
}
