// Parses the query of a list of watches for an index, which knows what its watches have.
import type { WatchIndex } from '../index/watch-index.ts'
import { parseWatchQuery } from '../query/parse-query.ts'
import type { WatchQuery } from '../query/watch-query.ts'
import { prepareSelection } from './find-matches.ts'

export function readQuery(index: WatchIndex, written: string): WatchQuery {
  return parseWatchQuery(
    written,
    index.vocabulary,
    (filter) => prepareSelection(index, { filters: [filter], ids: undefined }).find().set.count > 0,
  )
}
