// ETags of the catalogue: made of what an answer depends on, by every process alike.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../test/engines.ts'
import { openFresh } from '../../test/open-database.ts'
import { buildFresh, storeCatalogue } from '../../test/search/stored-catalogue.ts'
import { recordChanges } from '../changes/log.ts'
import { buildIndex } from '../search/build-index.ts'
import { WatchIndex } from '../search/watch-index.ts'
import { parseSynonyms } from '../specs/synonyms.ts'
import { createVocabulary } from '../specs/vocabulary.ts'
import type { Database } from '../storage/database.ts'
import { beginEpoch } from '../storage/epoch.ts'
import { catalogueEtag, watchEtag } from './validators.ts'

const engine = createEngine()
const strong = /^"[\w.-]+"$/

async function openCatalogue() {
  const { database, clock } = await openFresh(engine)
  const watch = {
    step: 1,
    collection: 'x',
    reference_number: 'x',
    retail_price_usd: null,
    current_market_price: null,
    specs: '{}',
    updated_at: '2026-03-01T00:00:00.000Z',
  }
  await storeCatalogue(database, {
    brands: [
      { name: 'Omega', slug: 'omega', aliases: [] },
      { name: 'Rolex', slug: 'rolex', aliases: [] },
    ],
    watches: [0, 0, 1].map((brand) => ({ ...watch, brand })),
  })
  return { database, clock }
}

describe('the ETag of a list', () => {
  test('is strong, another for every name, and the same from every process', async () => {
    const { database } = await openCatalogue()
    const [one, other] = [await buildFresh(database), await buildFresh(database)]
    const names = ['', ' ', '/watches', '/watches ', '/brands', 'é', 'x'.repeat(10_000)]
    const etags = names.map((name) => catalogueEtag(one, name))
    for (const etag of etags) expect(etag).toMatch(strong)
    expect(new Set(etags).size).toBe(names.length)
    expect(names.map((name) => catalogueEtag(other, name))).toEqual(etags)
    expect(names.map((name) => catalogueEtag(one, name))).toEqual(etags)
  })

  test('changes with every change of the catalogue', async () => {
    const { database, clock } = await openCatalogue()
    const etags = [catalogueEtag(await buildFresh(database), '/watches')]
    for (let time = 0; time < 3; time++) {
      await recordChanges(database, clock, async (_tx, record) =>
        record({ type: 'brand.updated', subjectId: 1 }),
      )
      etags.push(catalogueEtag(await buildFresh(database), '/watches'))
    }
    expect(new Set(etags).size).toBe(4)
  })

  test('changes when the database was replaced, though the log is as long', async () => {
    const { database, clock } = await openCatalogue()
    const before = catalogueEtag(await buildFresh(database), '/watches')
    await database.write((tx) => beginEpoch(tx, clock))
    expect(catalogueEtag(await buildFresh(database), '/watches')).not.toBe(before)
  })

  test('changes with what words mean', async () => {
    const { database } = await openCatalogue()
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

describe('the ETag of a watch', () => {
  const etagsOf = async (database: Database) => {
    const index = await buildFresh(database)
    return [1, 2, 3].map((id) => watchEtag(index, index.findOrdinal(id) ?? -1))
  }

  test('is strong, another for every watch, and the same from every process', async () => {
    const { database } = await openCatalogue()
    const etags = await etagsOf(database)
    for (const etag of etags) expect(etag).toMatch(strong)
    expect(new Set(etags).size).toBe(3)
    expect(await etagsOf(database)).toEqual(etags)
  })

  test('changes with that watch alone', async () => {
    const { database, clock } = await openCatalogue()
    const before = await etagsOf(database)
    await recordChanges(database, clock, async (tx, record) => {
      const set = { collection: 'y', updated_at: '2026-03-01T00:00:00.001Z' }
      await tx.updateTable('watches').set(set).where('id', '=', 1).execute()
      record({ type: 'watch.updated', subjectId: 1 })
    })
    const after = await etagsOf(database)
    expect(after.map((etag, at) => etag === before[at])).toEqual([false, true, true])
  })

  test('changes with its brand, for all watches of the brand and no others', async () => {
    const { database, clock } = await openCatalogue()
    const before = await etagsOf(database)
    await recordChanges(database, clock, async (tx, record) => {
      const set = { name: 'Ω', updated_at: '2026-03-01T00:00:00.001Z' }
      await tx.updateTable('brands').set(set).where('slug', '=', 'omega').execute()
      record({ type: 'brand.updated', subjectId: 1 })
    })
    const after = await etagsOf(database)
    expect(after.map((etag, at) => etag === before[at])).toEqual([false, false, true])
  })
})

async function buildWith(database: Database, synonyms: string): Promise<WatchIndex> {
  const vocabulary = createVocabulary(parseSynonyms(synonyms, 'synonyms.txt'))
  return new WatchIndex(await database.snapshot((view) => buildIndex(view, vocabulary)), vocabulary)
}
