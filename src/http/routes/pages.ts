// Serves the status page, and the page for unknown URLs.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Instance } from '../../../web/pages/layout/instance.ts'
import { notFoundPage } from '../../../web/pages/not-found.ts'
import { statusPage } from '../../../web/pages/status.ts'
import { type PageParts, sendPage } from '../pages/page.ts'

export function pageRoutes(app: FastifyInstance, parts: PageParts, instance: () => Promise<Instance>): void {
  app.get('/status', async (request, reply) => {
    const data = await instance()
    return sendPage(request, reply, parts, (site) => statusPage(site, data))
  })
}

/** The 404 page for browsers. The caller sends JSON to programs. */
export function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), parts, notFoundPage)
}
