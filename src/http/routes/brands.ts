// Serves GET /brands, /brands/{id-or-slug} and the watches of one brand.
import type { FastifyInstance } from 'fastify'
import type { BrandRow } from '../../catalogue/brands.ts'
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { parseListQuery } from '../../search/query/parse-query.ts'
import { brandSorts, describeBrand, listBrands } from '../../search/results/list-brands.ts'
import { type CatalogueParts, type Prepared, sendResponse } from '../api/send-response.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { pageLinks } from '../responses/page-links.ts'
import { sendList } from './watches.ts'

type BrandRoute = { Params: { brand: string } }

export function brandRoutes(app: FastifyInstance, parts: CatalogueParts): void {
  app.get('/brands', (request, reply) =>
    sendResponse(request, reply, parts, () => prepareBrands(parts, rawQueryOf(request))),
  )

  app.get<BrandRoute>('/brands/:brand', (request, reply) =>
    sendResponse(request, reply, parts, () => {
      const index = parts.index()
      const brand = getBrand(index, request.params.brand)
      const body = () => Buffer.from(JSON.stringify({ data: describeBrand(index, brand) }))
      return { etag: catalogueEtag(index, `/brands/${brand.id}`), make: () => ({ headers: {}, body }) }
    }),
  )

  app.get<BrandRoute>('/brands/:brand/watches', (request, reply) =>
    sendList(request, reply, parts, (index) => {
      const { id, slug } = getBrand(index, request.params.brand)
      return { path: `/brands/${slug}/watches`, brandId: id }
    }),
  )
}

function prepareBrands({ index: current, baseUrl }: CatalogueParts, rawQuery: string): Prepared {
  const index = current()
  const query = parseListQuery(rawQuery, brandSorts)
  return {
    etag: catalogueEtag(index, `/brands${JSON.stringify(query)}`),
    make: () => {
      const { total, brands } = listBrands(index, query)
      const { page, perPage } = query.paging
      const meta = { current_page: page, per_page: perPage, total }
      return {
        headers: pageLinks(`${baseUrl}/api/v1/brands`, rawQuery, query.paging, total),
        body: () => Buffer.from(JSON.stringify({ data: brands, meta })),
      }
    },
  }
}

function getBrand(index: WatchIndex, idOrSlug: string): BrandRow {
  const brand = index.brands.findByPath(idOrSlug)
  if (brand === undefined) throw new Problem('not_found')
  return brand
}
