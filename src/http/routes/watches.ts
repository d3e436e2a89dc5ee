// GET /watches: the list, a page of bytes from the index.
import type { FastifyInstance } from 'fastify'
import { type Paging, parsePaging, type QueryParameters } from '../../search/paging.ts'
import type { WatchIndex } from '../../search/watch-index.ts'

export function watchRoutes(app: FastifyInstance, index: () => WatchIndex, baseUrl: string): void {
  app.get<{ Querystring: QueryParameters }>('/watches', (request, reply) => {
    const paging = parsePaging(request.query)
    const { total, body } = index().page(paging)
    reply
      .header('link', pageLinks(`${baseUrl}/api/v1/watches`, paging, total))
      .type('application/json; charset=utf-8')
      .send(body)
  })
}

function pageLinks(url: string, { page, perPage }: Paging, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const link = (number: number, rel: string) => `<${url}?page=${number}&per_page=${perPage}>; rel="${rel}"`
  return [
    link(1, 'first'),
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ')
}
