// Releases the memory of a worker thread that has ended. V8 keeps its pages for the next worker until the garbage
// collector of a running thread runs; with a large catalogue that wastes a tenth of the memory.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Blocks this thread for a full garbage collection: call it only after rare events. */
export function releaseMemory(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
