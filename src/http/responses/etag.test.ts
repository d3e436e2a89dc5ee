// Tests what the ETag of a list depends on besides the query: the change log, the epoch of the database, and the
// synonyms.

import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../test/databases/engines.ts'
import { openFresh } from '../../../test/databases/open-database.ts'
import { buildFresh } from '../../../test/search/stored-catalogue.ts'
import { CacheBudget, megabyte } from '../../cache-budget.ts'
import { recordChanges } from '../../changes/log.ts'
import { buildIndex } from '../../search/index/build-index.ts'
import { WatchIndex } from '../../search/index/watch-index.ts'
import { parseSynonyms } from '../../specs/synonyms.ts'
import { createVocabulary } from '../../specs/vocabulary.ts'
import type { Database } from '../../storage/database.ts'
import { beginEpoch } from '../../storage/migrate.ts'
import { catalogueEtag } from './etag.ts'

const engine = createEngine()

describe('the ETag of a list', () => {
  test('changes with every change of the catalogue', async () => {
    const { database, clock } = await openFresh(engine)
    const etags = [catalogueEtag(await buildFresh(database), '/watches')]
    for (let time = 0; time < 3; time++) {
      await recordChanges(database, clock, async (_tx, record) =>
        record({ type: 'brand.updated', subjectId: 1 }),
      )
      etags.push(catalogueEtag(await buildFresh(database), '/watches'))
    }
    expect(new Set(etags).size).toBe(4)
  })

  test('changes when the database was replaced, though the change log has the same length', async () => {
    const { database, clock } = await openFresh(engine)
    const before = catalogueEtag(await buildFresh(database), '/watches')
    await database.write((tx) => beginEpoch(tx, clock))
    expect(catalogueEtag(await buildFresh(database), '/watches')).not.toBe(before)
  })

  test('changes with the synonyms', async () => {
    const { database } = await openFresh(engine)
    const etagBy = async (synonyms: string) =>
      catalogueEtag(await buildWith(database, synonyms), '/watches?spec[dial_color]=ecru')
    expect(await etagBy('[dial_color]\nIvory = Ecru\n')).not.toBe(
      await etagBy('[dial_color]\nCream = Ecru\n'),
    )
    expect(await etagBy('# one\n[dial_color]\nIvory = Ecru\n')).toBe(
      await etagBy('[dial_color]\nIvory = Ecru\n'),
    )
  })
})

async function buildWith(database: Database, synonyms: string): Promise<WatchIndex> {
  const vocabulary = createVocabulary(parseSynonyms(synonyms, 'synonyms.txt'))
  return new WatchIndex(
    await database.snapshot((view) => buildIndex(view, vocabulary)),
    vocabulary,
    new CacheBudget(16 * megabyte),
  )
}
