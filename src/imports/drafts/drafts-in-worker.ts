// Reads a file of drafts in a worker thread: parsing takes as long as writing, and a second core can do it meanwhile.
// The worker reads at most a few batches ahead. A small file is read in this thread, before a worker could have
// started, unless it is compressed: only a worker has a limit of memory.
import { isUtf8 } from 'node:buffer'
import { on } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
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
  | { readonly kind: 'end'; readonly sha256: string | undefined }
  | { readonly kind: 'failure'; readonly text: string }
  | { readonly kind: 'error'; readonly error: unknown }

const readHereBytesMax = 10_000
/** Every compressed format has bytes that no text has: at its beginning, or in a number at its end. */
const binary = /[^\P{Cc}\t\r\n]/u
const aheadMax = 3
/** Parsing allocates many objects that live only as long as their batch. */
const youngMb = 48
/** Far more than any file needs, unless its records were crafted to exhaust memory. */
export const draftsHeapMb = 512

export async function openDraftsInWorker(path: string, options: DraftOptions): Promise<DraftsFile> {
  // A function that looks things up in this thread cannot be passed to another.
  if (options.titles !== undefined || (await isSmallText(path))) return openDrafts(path, options)
  const thread = startThread({ path, options })
  // Without a listener, an error after the last message was read, such as during `terminate`, would end the process.
  thread.on('error', () => {})
  const messages = messagesOf(thread, path)
  try {
    const { value: first } = await messages.next()
    let sha256: string | undefined
    if (first?.kind !== 'start') throw new Error(`the worker sent ${first?.kind} before start`)
    const { start } = first
    return {
      start,
      async *batches() {
        for (let ahead = 0; ahead < aheadMax; ahead++) thread.postMessage('next')
        for await (const message of messages) {
          if (message.kind === 'end') sha256 = message.sha256
          if (message.kind !== 'batch') return
          thread.postMessage('next')
          start.keys.splice(0, start.keys.length, ...message.batch.keys)
          yield { ...message.batch, drafts: fromColumns(message.drafts) }
        }
      },
      sha256: () => sha256,
      close: async () => void (await thread.terminate()),
    }
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

/** A flag for the size of the young generation, as `npm start` has it, would count for the worker too. */
function startThread(task: DraftsTask): Worker {
  const flag = process.execArgv.find((one) => one.startsWith('--max-semi-space-size='))
  if (flag !== undefined) setFlagsFromString('--max-semi-space-size=0')
  const thread = new Worker(new URL('./drafts-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: draftsHeapMb },
  })
  if (flag !== undefined) thread.once('online', () => setFlagsFromString(flag))
  return thread
}

/** False for a pipe, whose size is unknown. False if the file cannot be read: the worker reports the error. */
async function isSmallText(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size > readHereBytesMax) return false
  const content = await readFile(path).catch(() => undefined)
  return content !== undefined && isUtf8(content) && !binary.test(content.toString())
}

/** Yields the worker's messages in order, and throws its errors. */
async function* messagesOf(thread: Worker, path: string): AsyncGenerator<DraftsMessage, undefined> {
  try {
    for await (const [message] of on(thread, 'message', { close: ['exit'] })) {
      if (message.kind === 'failure') throw new Failure(message.text)
      if (message.kind === 'error') throw message.error
      yield message
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    throw new Failure(`${path} needs more than ${draftsHeapMb} MB to be read: split it.`)
  }
  throw new Error('the worker thread that reads the file has exited')
}
