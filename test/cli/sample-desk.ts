// In charge of an operator's desk with the sample catalogue on it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import type { Engine } from '../engines.ts'
import { type Desk, openDesk } from './desk.ts'

export interface SampleDesk extends Desk {
  /** The whole file of the database. */
  bytes(): Buffer
}

export async function openSampleDesk(sqlite: Engine): Promise<SampleDesk> {
  const desk = await openDesk(sqlite)
  const config = parseConfig({ ...desk.settings, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  await migrate(database, systemClock)
  const sample = await readSample()
  await recordChanges(database, systemClock, (tx, record) => loadSample(tx, systemClock, record, sample))
  await database.close()
  return { ...desk, bytes: () => readFileSync(path.join(desk.settings.DATA_DIR, 'watchdata.sqlite')) }
}
