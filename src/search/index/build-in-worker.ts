// Builds the index in a worker thread, so that no request waits for it, and releases the memory of that thread.
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { IndexParts } from './build-index.ts'

/** The worker's young generation is small, because the process keeps that memory for a while after the worker ends. */
const youngMaxMb = 16

export async function buildInWorker(config: Config, signal: AbortSignal): Promise<IndexParts> {
  const thread = new Worker(new URL('./build-worker.ts', import.meta.url), {
    workerData: config,
    resourceLimits: { maxYoungGenerationSizeMb: youngMaxMb },
  })
  try {
    const [parts] = await Promise.race([once(thread, 'message', { signal }), ended(thread)])
    return parts
  } finally {
    await thread.terminate()
  }
}

async function ended(thread: Worker): Promise<never> {
  const [code] = await once(thread, 'exit')
  throw new Error(`the worker thread that builds the index exited with code ${code}`)
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
