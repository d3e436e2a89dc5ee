// Builds the docs and the OpenAPI document in a worker thread on the first request for one of them. To load the schemas and
// to render the pages would hold up all other requests for a quarter of a second.
import { runWorker } from '../../../run-worker.ts'
import type { Docs } from './docs.ts'
import type { DocsFacts } from './docs-tables.ts'

export interface DocsTask {
  readonly facts: DocsFacts
  readonly baseUrl: string
}

/** Everything that describes this instance. */
export interface Described {
  readonly docs: Docs
  /** The document as JSON. */
  readonly openapi: string
}

/** Returns a function that builds it with the first call. */
export function describeOnDemand(task: () => Promise<DocsTask>): () => Promise<Described> {
  let made: Promise<Described> | undefined
  return () => {
    made ??= describe(task)
    // A failed build is retried with the next request.
    made.catch(() => {
      made = undefined
    })
    return made
  }
}

async function describe(task: () => Promise<DocsTask>): Promise<Described> {
  return runWorker<Described>(new URL('./docs-worker.ts', import.meta.url), { workerData: await task() })
}
