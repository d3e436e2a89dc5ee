// In charge of giving back what a thread that has ended left behind. V8 keeps its pages for the next one until the
// garbage collector of a living thread runs; that is a tenth of the memory of a large catalogue, for nothing.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Holds this thread up for a whole collection: to be called after what happens rarely. */
export function giveBackMemory(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
