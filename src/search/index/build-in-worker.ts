// In charge of having the index built by another thread, so that no reader waits for it.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { IndexParts } from './build-index.ts'

/** What the thread leaves behind stays with the process for a while, so it gets by with little. */
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
  throw new Error(`the thread that builds the index ended with ${code}`)
}
