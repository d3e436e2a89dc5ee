// The public pages that only show: the state of this instance, and the one for an address that has none.
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

/** A person gets a page, a program gets JSON (by the caller of this function). */
export function sendNotFoundPage(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), parts, notFoundPage)
}
