// Serves GET /watches and /watches/{id}, as bytes from the index.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { prepareListAnswer, type Whose } from '../api/prepare-list.ts'
import { type CatalogueParts, sendResponse } from '../api/send-response.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { watchEtag } from '../responses/etag.ts'

const ids = /^[1-9]\d{0,15}$/

export function watchRoutes(app: FastifyInstance, parts: CatalogueParts): void {
  app.get('/watches', (request, reply) => sendList(request, reply, parts, () => ({ path: '/watches' })))
  app.get<{ Params: { id: string } }>('/watches/:id', (request, reply) =>
    sendResponse(request, reply, parts, () => {
      const index = parts.index()
      const ordinal = getWatch(index, request.params.id)
      const body = () => Buffer.concat([dataOpen, index.rows.get(ordinal), dataClose])
      return { etag: watchEtag(index, ordinal), make: () => ({ headers: {}, body }) }
    }),
  )
}

/** The ordinal of a watch in the index, by its id as given in the path. */
export function getWatch(index: WatchIndex, id: string): number {
  const ordinal = findWatch(index, id)
  if (ordinal === undefined) throw new Problem('not_found')
  return ordinal
}

export function findWatch(index: WatchIndex, id: string): number | undefined {
  return ids.test(id) ? index.findOrdinal(Number(id)) : undefined
}

/** Sends a list of all watches, or of one brand's. */
export function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: CatalogueParts,
  whose: (index: WatchIndex) => Whose,
): FastifyReply {
  const apiUrl = `${parts.baseUrl}/api/v1`
  return sendResponse(request, reply, parts, () =>
    prepareListAnswer(parts.index(), apiUrl, rawQueryOf(request), whose),
  )
}

const dataOpen = Buffer.from('{"data":')
const dataClose = Buffer.from('}')
