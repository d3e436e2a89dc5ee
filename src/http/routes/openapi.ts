// Serves GET /openapi.json, with or without a key.
import type { FastifyInstance } from 'fastify'
import { corsHeaders } from '../connection/api-headers.ts'
import { validatorHeaders } from '../responses/answer.ts'
import { chooseEncoding } from '../responses/encoding.ts'
import { bodyEtag } from '../responses/etag.ts'
import { encodedEtag, findFreshEtag } from '../responses/if-none-match.ts'
import { StaticBody } from '../responses/static-body.ts'

/** `describe` returns the document as JSON. */
export function openapiRoute(app: FastifyInstance, describe: () => Promise<string>): void {
  let shared: StaticBody | undefined
  app.get('/openapi.json', async ({ headers }, reply) => {
    const text = await describe()
    shared ??= new StaticBody(text)
    const body = shared
    const encoding = chooseEncoding(headers['accept-encoding'])
    const etag = bodyEtag(body.plain)
    const fresh = findFreshEtag(headers['if-none-match'], etag, encoding)
    reply.headers({ ...corsHeaders, ...validatorHeaders })
    if (fresh !== undefined) return reply.code(304).header('etag', fresh).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.header('etag', encodedEtag(etag, encoding, 'best')).type('application/json; charset=utf-8')
    return reply.send(await body.in(encoding))
  })
}
