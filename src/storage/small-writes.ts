// Sends small writes to the worker thread that runs them. The thread starts with the first write and ends on close.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface SmallWrite {
  readonly id: number
  readonly queries: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[]
}

export interface SmallWriteResult {
  readonly id: number
  readonly rows?: readonly Row[][]
  readonly error?: { readonly message: string; readonly errcode: number | undefined }
}

export type Row = Record<string, unknown>

/** The thread holds a few statements and a handful of rows. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

export class SmallWrites {
  readonly #file: string
  readonly #waiting = new Map<number, PromiseWithResolvers<readonly Row[][]>>()
  #thread: Worker | undefined
  #lastId = 0

  constructor(file: string) {
    this.#file = file
  }

  run(queries: SmallWrite['queries']): Promise<readonly Row[][]> {
    this.#thread ??= this.#start()
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<readonly Row[][]>()
    this.#waiting.set(id, waiting)
    this.#thread.postMessage({ id, queries } satisfies SmallWrite)
    return waiting.promise
  }

  async close(): Promise<void> {
    const thread = this.#thread
    if (thread === undefined) return
    while (this.#waiting.size > 0) await once(thread, 'message')
    await thread.terminate()
  }

  #start(): Worker {
    const thread = new Worker(new URL('./small-writes-worker.ts', import.meta.url), {
      workerData: this.#file,
      resourceLimits,
    })
    // The thread alone must not keep the process alive.
    thread.unref()
    thread.on('message', ({ id, rows = [], error }: SmallWriteResult) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(rows)
      else waiting?.reject(Object.assign(new Error(error.message), { errcode: error.errcode }))
    })
    // The next write starts another thread.
    const lose = (why: unknown) => {
      this.#thread = undefined
      for (const { reject } of this.#waiting.values()) reject(why)
      this.#waiting.clear()
    }
    thread.on('error', lose)
    thread.on('exit', () => lose(new Error('the worker thread of small writes has ended')))
    return thread
  }
}
