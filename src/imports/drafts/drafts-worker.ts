// Reads one file for drafts-aside.ts, in a thread of its own: a batch whenever it is asked for one.
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
  // One at a time, in the order they were asked for.
  let reading = Promise.resolve()
  port.on('message', () => {
    reading = reading.then(async () => {
      const { value, done } = await batches.next()
      if (done) return post({ kind: 'end' })
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
