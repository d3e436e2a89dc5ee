// Serves GET /healthz (the process is alive) and GET /readyz (the process accepts requests).
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'

export function healthRoutes(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    if (!isReady()) throw new Problem('unavailable')
    return { status: 'ready' }
  })
}
