// Answers GET /watches and /watches/{id} from the index.
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { watchEtag } from '../responses/etag.ts'
import { prepareList } from '../responses/prepare-list.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

const ids = /^[1-9]\d{0,15}$/

export function listWatches({ rawQuery }: Call, { index, baseUrl }: ApiParts): Prepared {
  return prepareList(index(), baseUrl, rawQuery, () => ({ path: '/watches' }))
}

export function getWatch({ parameters }: Call, parts: ApiParts): Prepared {
  const index = parts.index()
  const ordinal = getOrdinal(index, parameters.id)
  return {
    etag: watchEtag(index, ordinal),
    make: () => ({
      headers: {},
      content: Buffer.concat([dataOpen, index.rows.get(ordinal), dataClose]),
    }),
  }
}

/** The ordinal of a watch in the index, by its id as given in the path. */
export function getOrdinal(index: WatchIndex, id = ''): number {
  const ordinal = findOrdinal(index, id)
  if (ordinal === undefined) throw new Problem('not_found')
  return ordinal
}

export function findOrdinal(index: WatchIndex, id: string): number | undefined {
  return ids.test(id) ? index.findOrdinal(Number(id)) : undefined
}

const dataOpen = Buffer.from('{"data":')
const dataClose = Buffer.from('}')
