// Serves the docs: every page of docs/ as HTML and as Markdown, and /llms.txt, the list of pages for programs. The
// docs are built on the first request and cached.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPage } from '../../../web/pages/docs/docs.ts'
import { docsEntries } from '../../../web/pages/docs/docs-pages.ts'
import type { Instance } from '../../../web/pages/layout/instance.ts'
import type { Synonyms } from '../../specs/synonyms.ts'
import type { Docs } from '../contract/docs/docs.ts'
import { type PageParts, sendPage } from '../pages/page.ts'
import { chooseEncoding } from '../responses/encoding.ts'

export interface DocsParts extends PageParts {
  readonly synonyms: Synonyms
  readonly instance: () => Promise<Instance>
}

const gzip = promisify(zlib.gzip)
const first = docsEntries[0]?.file ?? ''

export function docsRoutes(app: FastifyInstance, parts: DocsParts): void {
  let made: Promise<Docs> | undefined
  // Built on demand, because it loads the schemas.
  const docs = () => {
    made ??= import('../contract/docs/docs.ts').then(async ({ makeDocs }) => {
      const { plans } = await parts.instance()
      return makeDocs({ plans, synonyms: parts.synonyms }, parts.baseUrl)
    })
    // A failed build is retried with the next request.
    made.catch(() => {
      made = undefined
    })
    return made
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, file: string) => {
    const entry = docsEntries.find((one) => one.file === file)
    const docPage = await (await docs()).findDocPage(file)
    if (entry === undefined || docPage === undefined) return reply.callNotFound()
    return sendPage(request, reply, parts, (site) => docsPage(site, entry, docPage))
  }

  app.get('/docs', (request, reply) => send(request, reply, first))
  app.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
    const { name } = request.params
    if (`${name}.md` === first) return reply.redirect('/docs', 308)
    if (!name.endsWith('.md')) return send(request, reply, `${name}.md`)
    const text = (await docs()).texts.get(name)
    return text === undefined ? reply.callNotFound() : sendText(request, reply, 'text/markdown', text)
  })
  app.get('/llms.txt', async (request, reply) => sendText(request, reply, 'text/plain', (await docs()).list))
}

async function sendText(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  text: string,
): Promise<FastifyReply> {
  reply.type(`${type}; charset=utf-8`).headers({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
  })
  if (chooseEncoding(headers['accept-encoding']) === 'identity') return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await gzip(text))
}
