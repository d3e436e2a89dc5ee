// Serves GET /openapi.json, with or without a key. The document is built on the first request, because loading the
// schemas takes longer than the rest of startup.
import type { FastifyInstance } from 'fastify'
import { corsHeaders } from '../api/cors.ts'
import { validatorHeaders } from '../responses/answer.ts'
import { compressWell } from '../responses/compress.ts'
import { chooseEncoding, type Encoding } from '../responses/encoding.ts'
import { bodyEtag } from '../responses/etag.ts'
import { encodedEtag, findFreshEtag } from '../responses/if-none-match.ts'
import { jsonOf } from '../responses/json.ts'

export function openapiRoute(app: FastifyInstance, baseUrl: string): void {
  const bodies = new Map<Encoding, Promise<Buffer>>()
  const bodyIn = (encoding: Encoding): Promise<Buffer> =>
    bodies.getOrInsertComputed(encoding, () =>
      encoding === 'identity'
        ? makeDocument(baseUrl)
        : bodyIn('identity').then((plain) => compressWell(encoding, plain)),
    )
  app.get('/openapi.json', async ({ headers }, reply) => {
    const encoding = chooseEncoding(headers['accept-encoding'])
    const etag = bodyEtag(await bodyIn('identity'))
    const fresh = findFreshEtag(headers['if-none-match'], etag, encoding)
    reply.headers({ ...corsHeaders, ...validatorHeaders })
    if (fresh !== undefined) return reply.code(304).header('etag', fresh).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.header('etag', encodedEtag(etag, encoding, 'best')).type('application/json; charset=utf-8')
    return reply.send(await bodyIn(encoding))
  })
}

async function makeDocument(baseUrl: string): Promise<Buffer> {
  const { buildDocument } = await import('../contract/openapi/document.ts')
  return jsonOf(buildDocument(baseUrl))
}
