// Resolves the titles of a file that is imported with --resolve, against the watches that the catalogue has.
import { CacheBudget, megabyte } from '../../cache-budget.ts'
import type { Config } from '../../config.ts'
import type { TitleReading } from '../../imports/import-options.ts'
import { buildIndex } from '../../search/index/build-index.ts'
import { WatchIndex } from '../../search/index/watch-index.ts'
import { nameWatch } from '../../search/resolve/name-watch.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import type { Database } from '../../storage/database.ts'

const cacheMegabytes = 16

export async function openTitles(
  database: Database,
  config: Config,
  column: string | true,
): Promise<TitleReading> {
  const vocabulary = await readVocabulary(config)
  const parts = await database.snapshot((view) => buildIndex(view, vocabulary))
  const index = new WatchIndex(parts, vocabulary, new CacheBudget(cacheMegabytes * megabyte))
  return {
    column: column === true ? undefined : column,
    resolve: (text, brand) => nameWatch(index, { text, brand }),
  }
}
