// Runs in a worker thread: opens its own database connection, builds the index at low priority and posts it to the
// main thread.
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import { openLog } from '../../log.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { openDatabase } from '../../storage/open-database.ts'
import { lowerPriority } from '../../thread-priority.ts'
import { buildIndex } from './build-index.ts'

/** The lowest priority: on a busy core the build gets only the time that the thread serving requests leaves. */
const niceness = 19

const config = workerData as Config
lowerPriority(niceness)
const vocabulary = await readVocabulary(config)
const database = await openDatabase(config, openLog(config))
try {
  parentPort?.postMessage(await database.snapshot((view) => buildIndex(view, vocabulary)))
} finally {
  await database.close()
}
