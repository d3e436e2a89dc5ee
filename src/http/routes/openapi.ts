// Serves GET /openapi.json, with or without a key. The document is built on the first request, because loading the
// schemas takes longer than the rest of startup.
import type { FastifyInstance } from 'fastify'
import { freeOfCharge } from '../api/charge.ts'
import { setCorsHeaders } from '../api/cors.ts'
import { sendResponse } from '../api/send-response.ts'
import { CompressedBodies } from '../responses/compress.ts'
import { bodyEtag } from '../responses/etag.ts'

/** Enough for one body in three codings. */
const compressedMaxBytes = 256 * 1_024

export function openapiRoute(app: FastifyInstance, baseUrl: string): void {
  const compressed = new CompressedBodies(compressedMaxBytes)
  let made: ReturnType<typeof makeDocument> | undefined
  app.get('/openapi.json', async (request, reply) => {
    made ??= makeDocument(baseUrl)
    const { bytes, etag } = await made
    setCorsHeaders(reply)
    const make = () => ({ headers: {}, body: () => bytes })
    return sendResponse(request, reply, { compressed, charges: freeOfCharge }, () => ({ etag, make }))
  })
}

async function makeDocument(baseUrl: string) {
  const { buildDocument } = await import('../contract/openapi/document.ts')
  const bytes = Buffer.from(JSON.stringify(buildDocument(baseUrl)))
  return { bytes, etag: bodyEtag(bytes) }
}
