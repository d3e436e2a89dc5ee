// Applies load at a fixed rate with the generator of open-loop.ts.
import { fileURLToPath } from 'node:url'
import { connections } from './load.ts'
import type { OpenLoop, OpenLoopResult } from './open-loop.ts'
import { BenchProcess } from './processes.ts'

const generator = fileURLToPath(new URL('./open-loop.ts', import.meta.url))
/** The generator sends this much longer than it measures. */
const warmUpShare = 0.2
const spareMs = 60_000

/** Rejects if a response has another status, or a connection fails. */
export async function applyOpenLoad(
  load: Omit<OpenLoop, 'connections' | 'warmUpSeconds'> & { readonly connections?: number },
): Promise<OpenLoopResult> {
  const plan: OpenLoop = { connections, ...load, warmUpSeconds: load.seconds * warmUpShare }
  const process_ = new BenchProcess([process.execPath, generator, JSON.stringify(plan)], {
    core: 'load',
    maxMs: load.seconds * 1_000 + spareMs,
  })
  try {
    const json = /^RESULT (.*)$/m.exec(await process_.end())?.[1]
    if (json === undefined) throw new Error(`the load generator printed no result: ${process_.output}`)
    return JSON.parse(json)
  } finally {
    await process_.stop()
  }
}
