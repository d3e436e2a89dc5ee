// GET /watches and /watches/{id}: pages of bytes from the index.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../errors.ts'
import { facetSubject } from '../../search/facets.ts'
import { prepareList } from '../../search/list-watches.ts'
import { parseWatchQuery } from '../../search/parse-query.ts'
import { findUnknownKeys } from '../../search/suggest.ts'
import type { WatchIndex } from '../../search/watch-index.ts'
import type { WatchQuery } from '../../search/watch-query.ts'
import { sendAnswer } from '../answer.ts'
import type { CatalogueParts } from '../catalogue-parts.ts'
import { pageLinks } from '../page-links.ts'
import { catalogueEtag, watchEtag } from '../validators.ts'
import { writtenQuery } from '../written-query.ts'

const ids = /^[1-9]\d{0,15}$/

export function watchRoutes(app: FastifyInstance, parts: CatalogueParts): void {
  app.get('/watches', (request, reply) => sendList(request, reply, parts, () => ({ path: '/watches' })))
  app.get<{ Params: { id: string } }>('/watches/:id', (request, reply) => {
    const index = parts.index()
    const { id } = request.params
    const ordinal = ids.test(id) ? index.findOrdinal(Number(id)) : undefined
    if (ordinal === undefined) throw new Problem('not_found')
    return sendAnswer(request, reply, parts.compressed, watchEtag(index, ordinal), () => ({
      headers: {},
      body: () => Buffer.concat([dataOpen, index.rows.get(ordinal), dataClose]),
    }))
  })
}

/** Whose watches a list has, and the path it is asked for by. */
export interface Whose {
  readonly path: string
  readonly brandId?: number
}

/** A list of watches. Whose it is, is looked up after the query is found to be valid. */
export function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: CatalogueParts,
  whose: (index: WatchIndex) => Whose,
): FastifyReply {
  const index = parts.index()
  const written = writtenQuery(request)
  const query = parseWatchQuery(written, index.vocabulary)
  const { path, brandId } = whose(index)
  const { name, find } = prepareList(index, query, brandId)
  return sendAnswer(request, reply, parts.compressed, catalogueEtag(index, `${path} ${name}`), () => {
    const list = find()
    const link = pageLinks(`${parts.baseUrl}/api/v1${path}`, written, query.paging, list.total)
    const unknown = unknownKeys(index, query)
    return {
      headers: unknown === '' ? { link } : { link, 'x-unknown-spec-keys': unknown },
      body: list.body,
    }
  })
}

/** `dail_color; did_you_mean=dial_color`, one for each key that no watch has. */
function unknownKeys(index: WatchIndex, { filters, facets }: WatchQuery): string {
  const asked: string[] = []
  for (const { subject, key } of filters) if (subject === 'spec') asked.push(key)
  for (const facet of facets) {
    const { isField, key } = facetSubject(facet)
    if (!isField) asked.push(key)
  }
  return findUnknownKeys(index, asked)
    .map(({ key, suggestion }) => {
      const hint = suggestion === undefined ? '' : `; did_you_mean=${encodeURIComponent(suggestion)}`
      return encodeURIComponent(key) + hint
    })
    .join(', ')
}

const dataOpen = Buffer.from('{"data":')
const dataClose = Buffer.from('}')
