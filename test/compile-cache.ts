// Lets the processes that tests start share the cache of stripped and compiled code. A process that is killed would
// leave nothing in it, so each writes what it has loaded as soon as it is ready.
import { flushCompileCache } from 'node:module'

/** The variable of a child process, which gets no other variables of the tests. Empty outside a test run. */
export const compileCache: { readonly NODE_COMPILE_CACHE?: string } =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

/** Called by the child process. */
export function keepCompiled(): void {
  if (compileCache.NODE_COMPILE_CACHE !== undefined) flushCompileCache()
}
