// Answers GET /specs and /specs/{key}: the spec dictionary.
import { Problem } from '../../errors.ts'
import { parsePaging } from '../../search/query/paging.ts'
import { listValues } from '../../search/results/facets.ts'
import { listKeys } from '../../search/results/spec-keys.ts'
import { warmUpKeys, warmUpValues } from '../../search/results/warm-up.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { jsonOf } from '../responses/json.ts'
import { pageLinks } from '../responses/page-links.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

export function listSpecs(_call: Call, { index: current }: ApiParts): Prepared {
  const index = current()
  return {
    etag: catalogueEtag(index, '/specs'),
    warmUp: (caller) => warmUpKeys(index, caller),
    make: () => ({ headers: {}, content: jsonOf({ data: listKeys(index) }) }),
  }
}

export function getSpec({ parameters, rawQuery }: Call, { index: current, baseUrl }: ApiParts): Prepared {
  const index = current()
  const { key = '' } = parameters
  const paging = parsePaging(rawQuery)
  if (!index.hasKey(key)) throw new Problem('not_found')
  const { page, perPage } = paging
  const start = (page - 1) * perPage
  return {
    etag: catalogueEtag(index, `/specs/${key} ${page} ${perPage}`),
    warmUp: (caller) => warmUpValues(index, caller, key, start, perPage),
    make: () => {
      const { total, values } = listValues(index, key, start, perPage)
      const meta = { current_page: page, per_page: perPage, total }
      const url = `${baseUrl}/api/v1/specs/${encodeURIComponent(key)}`
      return { headers: pageLinks(url, rawQuery, paging, total), content: jsonOf({ data: values, meta }) }
    },
  }
}
