// Serves the docs: every page of docs/ as HTML and as Markdown, and the texts for programs, such as /llms.txt. Every text
// is made and compressed once for all visitors.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPage } from '../../../web/pages/docs/docs.ts'
import { docsEntries } from '../../../web/pages/docs/docs-pages.ts'
import type { Site } from '../../../web/pages/layout/site.ts'
import { corsHeaders } from '../connection/api-headers.ts'
import type { Docs } from '../contract/docs/docs.ts'
import { type PageParts, sendStaticPage } from '../pages/page.ts'
import { StaticBody, sendStatic } from '../responses/static-body.ts'

const first = docsEntries[0]?.file ?? ''

export function docsRoutes(app: FastifyInstance, parts: PageParts, docs: () => Promise<Docs>): void {
  /** By the names of pages, files and the list, which never equal each other. */
  const bodies = new Map<string, StaticBody>()
  const share = (name: string, make: () => string) =>
    bodies.getOrInsertComputed(name, () => new StaticBody(make()))
  const send = async (request: FastifyRequest, reply: FastifyReply, file: string) => {
    const entry = docsEntries.find((one) => one.file === file)
    const docPage = (await docs()).pages.get(file)
    if (entry === undefined || docPage === undefined) return reply.callNotFound()
    const render = (site: Site) => docsPage(site, entry, docPage)
    return sendStaticPage(request, reply, parts, render, (make) => share(entry.path, make))
  }

  app.get('/docs', (request, reply) => send(request, reply, first))
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
    const { name } = request.params
    if (`${name}.md` === first) return reply.redirect('/docs', 308)
    if (!name.endsWith('.md')) return send(request, reply, `${name}.md`)
    const text = (await docs()).texts.get(name)
    if (text === undefined) return reply.callNotFound()
    setTextHeaders(reply, 'text/markdown')
    return sendStatic(
      request,
      reply,
      share(name, () => text),
    )
  })
  for (const path of ['/llms.txt', '/llms-full.txt', '/robots.txt']) {
    app.get(path, async (request, reply) => {
      const text = (await docs()).forPrograms.get(path)
      if (text === undefined) return reply.callNotFound()
      setTextHeaders(reply, 'text/plain')
      return sendStatic(
        request,
        reply,
        share(path, () => text),
      )
    })
  }
}

/** Pages of any origin may read what is written for programs. */

function setTextHeaders(reply: FastifyReply, type: string): void {
  reply.type(`${type}; charset=utf-8`).headers({
    ...corsHeaders,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  })
}
