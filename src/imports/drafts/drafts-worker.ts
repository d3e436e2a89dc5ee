// The worker thread of drafts-in-worker.ts: reads one file, and posts one batch for each message it receives.
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import { toColumns } from './draft-columns.ts'
import type { DraftsMessage, DraftsTask } from './drafts-in-worker.ts'
import { openDrafts } from './open-drafts.ts'

assert(parentPort !== null)
const port = parentPort
const { path, options } = workerData as DraftsTask

try {
  const file = await openDrafts(path, options)
  const batches = file.batches()
  post({ kind: 'start', start: file.start })
  // Batches are read one at a time, in the order of the requests.
  let reading = Promise.resolve()
  port.on('message', () => {
    reading = reading.then(async () => {
      const { value, done } = await batches.next()
      if (done) return post({ kind: 'end', sha256: file.sha256() })
      const { drafts, ...batch } = value
      post({ kind: 'batch', batch, drafts: toColumns(drafts) })
    })
    reading.catch(tell)
  })
} catch (error) {
  tell(error)
}

function tell(error: unknown): void {
  post(error instanceof Failure ? { kind: 'failure', text: error.message } : { kind: 'error', error })
}

function post(message: DraftsMessage): void {
  port.postMessage(message)
}
