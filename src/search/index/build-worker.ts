// In charge of the other thread: opens the database for itself, builds the index at a low priority, hands it over.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { openLog } from '../../log.ts'
import { readSynonyms } from '../../specs/synonyms.ts'
import { createVocabulary } from '../../specs/vocabulary.ts'
import { openDatabase } from '../../storage/open-database.ts'
import { buildIndex } from './build-index.ts'

/** Behind everything else: on a busy core it gets what the thread that answers leaves. */
const niceness = 19

const config = workerData as Config
lowerPriority()
const vocabulary = createVocabulary(await readSynonyms(config.synonymsFile))
const database = await openDatabase(config, openLog(config))
try {
  parentPort?.postMessage(await database.snapshot((view) => buildIndex(view, vocabulary)))
} finally {
  await database.close()
}

/** On Linux priorities are the threads' own; elsewhere they are the whole process's, which must keep its own. */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(niceness)
}
