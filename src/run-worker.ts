// Runs one task in a worker thread, so that no request waits for it: the thread posts its result, and ends.
import { once } from 'node:events'
import { Worker, type WorkerOptions } from 'node:worker_threads'

export async function runWorker<Result>(
  file: URL,
  options: WorkerOptions & { readonly signal?: AbortSignal },
): Promise<Result> {
  const { signal, ...rest } = options
  const thread = new Worker(file, rest)
  try {
    const [result] = await Promise.race([
      once(thread, 'message', signal === undefined ? {} : { signal }),
      ended(thread, file),
    ])
    return result
  } finally {
    await thread.terminate()
  }
}

async function ended(thread: Worker, { pathname }: URL): Promise<never> {
  const [code] = await once(thread, 'exit')
  throw new Error(`the worker thread of ${pathname} exited with code ${code}`)
}
