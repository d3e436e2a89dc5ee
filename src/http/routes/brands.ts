// GET /brands, /brands/{id-or-slug} and the watches of one brand.
import type { FastifyInstance } from 'fastify'
import type { BrandRow } from '../../catalogue/brands.ts'
import { Problem } from '../../errors.ts'
import { brandSorts, describeBrand, listBrands } from '../../search/list-brands.ts'
import { parseListQuery } from '../../search/parse-query.ts'
import type { WatchIndex } from '../../search/watch-index.ts'
import { sendAnswer } from '../answer.ts'
import type { CatalogueParts } from '../catalogue-parts.ts'
import { pageLinks } from '../page-links.ts'
import { catalogueEtag } from '../validators.ts'
import { writtenQuery } from '../written-query.ts'
import { sendList } from './watches.ts'

type BrandRoute = { Params: { brand: string } }

export function brandRoutes(app: FastifyInstance, parts: CatalogueParts): void {
  app.get('/brands', (request, reply) => {
    const index = parts.index()
    const written = writtenQuery(request)
    const query = parseListQuery(written, brandSorts)
    const etag = catalogueEtag(index, `/brands${JSON.stringify(query)}`)
    return sendAnswer(request, reply, parts.compressed, etag, () => {
      const { total, brands } = listBrands(index, query)
      const { page, perPage } = query.paging
      const meta = { current_page: page, per_page: perPage, total }
      return {
        headers: pageLinks(`${parts.baseUrl}/api/v1/brands`, written, query.paging, total),
        body: () => Buffer.from(JSON.stringify({ data: brands, meta })),
      }
    })
  })

  app.get<BrandRoute>('/brands/:brand', (request, reply) => {
    const index = parts.index()
    const brand = getBrand(index, request.params.brand)
    const etag = catalogueEtag(index, `/brands/${brand.id}`)
    return sendAnswer(request, reply, parts.compressed, etag, () => ({
      headers: {},
      body: () => Buffer.from(JSON.stringify({ data: describeBrand(index, brand) })),
    }))
  })

  app.get<BrandRoute>('/brands/:brand/watches', (request, reply) =>
    sendList(request, reply, parts, (index) => {
      const { id, slug } = getBrand(index, request.params.brand)
      return { path: `/brands/${slug}/watches`, brandId: id }
    }),
  )
}

function getBrand(index: WatchIndex, written: string): BrandRow {
  const brand = index.brands.findByPath(written)
  if (brand === undefined) throw new Problem('not_found')
  return brand
}
