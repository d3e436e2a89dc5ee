// Answers GET /watches and /watches/{id} from the index.
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { watchEtag } from '../responses/etag.ts'
import { prepareList } from '../responses/prepare-list.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'
import { readId } from './path-id.ts'

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

export function findOrdinal(index: WatchIndex, written: string): number | undefined {
  const id = readId(written)
  return id === undefined ? undefined : index.findOrdinal(id)
}

const dataOpen = Buffer.from('{"data":')
const dataClose = Buffer.from('}')
