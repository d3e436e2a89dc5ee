// Reads a file of drafts in a worker thread: parsing takes as long as writing, and a second core can do it meanwhile.
// The worker reads at most a few batches ahead. A small file is read in this thread, before a worker could have
// started.
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import type { DraftOptions, FileStart } from '../import-options.ts'
import { type DraftColumns, fromColumns } from './draft-columns.ts'
import { type DraftBatch, type DraftsFile, openDrafts } from './open-drafts.ts'

export interface DraftsTask {
  readonly path: string
  readonly options: DraftOptions
}

export type DraftsMessage =
  | { readonly kind: 'start'; readonly start: FileStart }
  | { readonly kind: 'batch'; readonly batch: Omit<DraftBatch, 'drafts'>; readonly drafts: DraftColumns }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly text: string }
  | { readonly kind: 'error'; readonly error: unknown }

interface WorkerDraftsFile extends DraftsFile {
  close(): Promise<void>
}

const readHereBytesMax = 10_000
const aheadMax = 3
/** Parsing allocates many objects that live only as long as their batch. */
const youngMb = 48
/** Far more than any file needs, unless its records were crafted to exhaust memory. */
const oldMb = 512

export async function openDraftsInWorker(path: string, options: DraftOptions): Promise<WorkerDraftsFile> {
  if (await isSmall(path)) return { ...(await openDrafts(path, options)), close: async () => {} }
  const task: DraftsTask = { path, options }
  const thread = new Worker(new URL('./drafts-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: oldMb },
  })
  const messages = messagesOf(thread, path)
  try {
    const first = await messages.next()
    if (first.kind !== 'start') throw new Error(`the worker sent ${first.kind} before start`)
    return {
      start: first.start,
      async *batches() {
        for (let ahead = 0; ahead < aheadMax; ahead++) thread.postMessage('next')
        for (;;) {
          const message = await messages.next()
          if (message.kind !== 'batch') return
          thread.postMessage('next')
          yield { ...message.batch, drafts: fromColumns(message.drafts) }
        }
      },
      close: async () => void (await thread.terminate()),
    }
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

/** False for a pipe, whose size is unknown. False if stat fails: opening the file reports the error. */
async function isSmall(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true && found.size <= readHereBytesMax
}

/** Returns the worker's messages in order, and throws its errors. */
function messagesOf(thread: Worker, path: string): { next(): Promise<DraftsMessage> } {
  const waiting: DraftsMessage[] = []
  let broken: unknown
  let wake = () => {}
  const end = (error: unknown) => {
    broken ??= error
    wake()
  }
  thread.on('message', (message: DraftsMessage) => {
    waiting.push(message)
    wake()
  })
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    end(isTooLarge ? new Failure(`${path} needs more than ${oldMb} MB to be read: split it.`) : error)
  })
  thread.on('exit', () => end(new Error('the worker thread that reads the file has exited')))
  return {
    async next() {
      while (waiting.length === 0 && broken === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const message = waiting.shift()
      if (message === undefined) throw broken
      if (message.kind === 'failure') throw new Failure(message.text)
      if (message.kind === 'error') throw message.error
      return message
    },
  }
}
