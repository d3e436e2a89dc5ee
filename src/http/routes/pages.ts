// Serves the status page.
import type { FastifyInstance } from 'fastify'
import type { Instance } from '../../../web/pages/layout/instance.ts'
import { statusPage } from '../../../web/pages/status.ts'
import { type PageParts, sendPage } from '../pages/page.ts'

export function pageRoutes(app: FastifyInstance, parts: PageParts, instance: () => Promise<Instance>): void {
  app.get('/status', async (request, reply) => {
    const data = await instance()
    return sendPage(request, reply, parts, (site) => statusPage(site, data))
  })
}
