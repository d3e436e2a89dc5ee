// Runs in a worker thread: builds the docs and the OpenAPI document, and posts them to the main thread.
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../thread-priority.ts'
import { buildDocument } from '../openapi/document.ts'
import { makeDocs } from './docs.ts'
import type { Described, DocsTask } from './docs-in-worker.ts'

/** Somebody waits for it, but the requests of all others come first. */
const niceness = 5

const { facts, baseUrl } = workerData as DocsTask
lowerPriority(niceness)
const described: Described = {
  docs: await makeDocs(facts, baseUrl),
  openapi: JSON.stringify(buildDocument(baseUrl)),
}
parentPort?.postMessage(described)
