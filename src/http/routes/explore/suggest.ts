// Serves the suggestions of the search field on pages, as GET /suggest gives them, with links into the explorer.
import type { FastifyInstance } from 'fastify'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import { formatNumber } from '../../../../web/pages/layout/format.ts'
import type { WatchIndex } from '../../../search/index/watch-index.ts'
import { parseSuggestQuery } from '../../../search/query/suggest-query.ts'
import { suggest } from '../../../search/results/suggest.ts'
import type { Completion } from '../../../search/text/complete-text.ts'
import type { PageGuard } from '../../pages/page-rate-limit.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'

const suggestPath = '/explore/suggest'

export function suggestRoute(app: FastifyInstance, index: () => WatchIndex, views: PageGuard): void {
  app.get(suggestPath, (request, reply) => {
    views.admitSuggestion(request.ip)
    const completions = suggest(index(), parseSuggestQuery(rawQueryOf(request)))
    return reply.header('cache-control', 'private, max-age=60').send({ data: completions.map(describe) })
  })
}

function describe({ type, text, brand, key, query, watches_count }: Completion) {
  return {
    text,
    about: aboutOf(type, brand, key),
    count: formatNumber(watches_count),
    href: `/explore?${query}`,
  }
}

function aboutOf(type: Completion['type'], brand: string | null, key: string | null): string {
  if (type === 'value' && key !== null) return labelOf(key)
  if (type === 'brand' || brand === null) return type
  return `${brand} ${type}`
}
