// Builds the index in a worker thread, so that no request waits for it, and releases the memory of that thread.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Config } from '../../config.ts'
import { runWorker } from '../../run-worker.ts'
import type { IndexParts } from './build-index.ts'

/** The worker's young generation is small, because the process keeps that memory for a while after the worker ends. */
const youngMaxMb = 16

export function buildInWorker(config: Config, signal: AbortSignal): Promise<IndexParts> {
  return runWorker<IndexParts>(new URL('./build-worker.ts', import.meta.url), {
    workerData: config,
    resourceLimits: { maxYoungGenerationSizeMb: youngMaxMb },
    signal,
  })
}

/**
 * Releases the memory of a worker thread that has ended. V8 keeps its pages for the next worker until the garbage
 * collector of a running thread runs; with a large catalogue that wastes a tenth of the memory. Blocks this thread for a
 * full garbage collection: call it only after rare events.
 */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}
