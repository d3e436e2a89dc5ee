// Answers GET /suggest: what the text of a search box may become.
import { parseSuggestQuery } from '../../search/query/suggest-query.ts'
import { suggest } from '../../search/results/suggest.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { jsonOf } from '../responses/json.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

export function suggestTexts({ rawQuery }: Call, { index: current }: ApiParts): Prepared {
  const index = current()
  const query = parseSuggestQuery(rawQuery)
  return {
    etag: catalogueEtag(index, `/suggest ${query.limit} ${query.text}`),
    make: () => ({ headers: {}, content: jsonOf({ data: suggest(index, query) }) }),
  }
}
