// Serves /explore and everything below it: the catalogue as web pages. It is open to anyone, with a limit of views
// per IP address. The query is that of the API, and so are its errors.
import type { FastifyInstance } from 'fastify'
import { brandPage } from '../../../../web/pages/explore/brand-page.ts'
import { brandsPage } from '../../../../web/pages/explore/brand-pages.ts'
import { explorePage } from '../../../../web/pages/explore/explore.ts'
import { watchMethods } from '../../api/methods.ts'
import type { PageGuard } from '../../pages/page-rate-limit.ts'
import { brandsPath, makeBrandsView, makeBrandView } from './brands.ts'
import { brandAddress, everyWatch, makeListView } from './list.ts'
import { sendMissing, sendQueried } from './queried.ts'
import { type ExploreParts, sendComparison, sendWatch } from './watch-pages.ts'

export function exploreRoutes(app: FastifyInstance, parts: ExploreParts, views: PageGuard): void {
  app.register(async (explorer) => {
    explorer.addHook('onRequest', async ({ ip }) => views.admit(ip))
    const refuseOtherMethods = watchMethods(explorer)
    listRoutes(explorer, parts)
    explorer.get<{ Params: { id: string } }>('/explore/watches/:id', (request, reply) =>
      sendWatch(request, reply, parts, request.params.id),
    )
    explorer.get('/explore/compare', (request, reply) => sendComparison(request, reply, parts))
    refuseOtherMethods()
  })
}

function listRoutes(app: FastifyInstance, { pages, index: current }: ExploreParts): void {
  const { baseUrl } = pages
  app.get('/explore', (request, reply) =>
    sendQueried(request, reply, pages, everyWatch, async (rawQuery) => {
      const index = current()
      const view = await makeListView(index, everyWatch, rawQuery)
      const data = { baseUrl, watches: index.size, brands: index.brands.rows.length }
      return (site) => explorePage(site, data, view)
    }),
  )
  app.get(brandsPath, (request, reply) =>
    sendQueried(request, reply, pages, { path: brandsPath, apiPath: '/brands' }, (rawQuery) => {
      const view = makeBrandsView(current(), rawQuery)
      return (site) => brandsPage(site, baseUrl, view)
    }),
  )
  app.get<{ Params: { brand: string } }>('/explore/brands/:brand', (request, reply) => {
    const index = current()
    const row = index.brands.findByPath(request.params.brand)
    if (row === undefined) {
      const action = { text: 'See all brands', href: brandsPath }
      return sendMissing(request, reply, pages, 'There is no such brand', action)
    }
    const path = brandAddress(row.slug)
    const whose = { path, apiPath: path.replace('/explore', '').concat('/watches'), brandId: row.id }
    return sendQueried(request, reply, pages, whose, async (rawQuery) => {
      const view = await makeListView(index, whose, rawQuery)
      return (site) => brandPage(site, baseUrl, makeBrandView(index, row), view)
    })
  })
}
