// Serves GET /healthz (the process is alive) and GET /readyz (the process accepts requests, and is not too far behind the
// catalogue).
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { Problem } from '../../errors.ts'

export interface Readiness {
  readonly isReady: boolean
  /** The sequence of the index. */
  readonly sequence: number
  /** How long the index has been behind the change log; undefined while the log cannot be read. */
  readonly lagMs: number | undefined
  /** By how much the clock of this machine is ahead of the database's. */
  readonly clockOffsetMs: number
}

export function healthRoutes(
  app: FastifyInstance,
  { readyLagMs }: Pick<Config, 'readyLagMs'>,
  readiness: () => Readiness,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    const { isReady, sequence, lagMs, clockOffsetMs } = readiness()
    if (!isReady || (lagMs ?? 0) > readyLagMs) throw new Problem('unavailable')
    const lag_ms = lagMs === undefined ? null : Math.round(lagMs)
    // Ready all the same: the database's clock is used.
    return { status: 'ready', sequence, lag_ms, clock_offset_ms: Math.round(clockOffsetMs) }
  })
}
