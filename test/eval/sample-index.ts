// Builds the index of the sample catalogue, for evaluations.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CacheBudget, megabyte } from '../../src/cache-budget.ts'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { buildIndex } from '../../src/search/index/build-index.ts'
import { WatchIndex } from '../../src/search/index/watch-index.ts'
import { readVocabulary } from '../../src/specs/read-vocabulary.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'

export async function openSampleIndex(): Promise<WatchIndex> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-eval-'))
  const config = parseConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    await migrate(database, systemClock)
    const sample = await readSample()
    await recordChanges(database, systemClock, (tx, record) => loadSample(tx, systemClock, record, sample))
    const vocabulary = await readVocabulary(config)
    const parts = await database.snapshot((view) => buildIndex(view, vocabulary))
    return new WatchIndex(parts, vocabulary, new CacheBudget(16 * megabyte))
  } finally {
    await database.close()
    await rm(directory, { recursive: true })
  }
}
