// Serves GET /specs and /specs/{key}: the spec dictionary.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'
import { parsePaging } from '../../search/query/paging.ts'
import { listValues } from '../../search/results/facets.ts'
import { listKeys } from '../../search/results/spec-keys.ts'
import { type CatalogueParts, type Prepared, sendResponse } from '../api/send-response.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { pageLinks } from '../responses/page-links.ts'

export function specRoutes(app: FastifyInstance, parts: CatalogueParts): void {
  app.get('/specs', (request, reply) =>
    sendResponse(request, reply, parts, () => {
      const index = parts.index()
      const body = () => Buffer.from(JSON.stringify({ data: listKeys(index) }))
      return { etag: catalogueEtag(index, '/specs'), make: () => ({ headers: {}, body }) }
    }),
  )

  app.get<{ Params: { key: string } }>('/specs/:key', (request, reply) =>
    sendResponse(request, reply, parts, () => prepareValues(parts, request.params.key, rawQueryOf(request))),
  )
}

function prepareValues({ index: current, baseUrl }: CatalogueParts, key: string, rawQuery: string): Prepared {
  const index = current()
  const paging = parsePaging(rawQuery)
  if (!index.hasKey(key)) throw new Problem('not_found')
  const { page, perPage } = paging
  return {
    etag: catalogueEtag(index, `/specs/${key} ${page} ${perPage}`),
    make: () => {
      const { total, values } = listValues(index, key, (page - 1) * perPage, perPage)
      const meta = { current_page: page, per_page: perPage, total }
      const url = `${baseUrl}/api/v1/specs/${encodeURIComponent(key)}`
      return {
        headers: pageLinks(url, rawQuery, paging, total),
        body: () => Buffer.from(JSON.stringify({ data: values, meta })),
      }
    },
  }
}
