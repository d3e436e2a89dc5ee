// Provides the fixture of the command tests with the sample catalogue loaded.
import { readFileSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { inject } from 'vitest'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import type { Engine } from '../databases/engines.ts'
import { endLater } from '../lifetime.ts'
import { type Fixture, fixtureOf } from './cli-fixture.ts'

export interface SampleFixture extends Fixture {
  /** The contents of the database file. */
  bytes(): Buffer
}

export async function openSampleFixture(sqlite: Engine): Promise<SampleFixture> {
  const fixture = await fixtureOf(sqlite, 'empty')
  template ??= makeTemplate()
  await cp(await template, fixture.settings.DATA_DIR, { recursive: true })
  return { ...fixture, bytes: () => readFileSync(path.join(fixture.settings.DATA_DIR, 'watchdata.sqlite')) }
}

export interface ServedFixture extends SampleFixture {
  readonly api: string
}

/** The sample served by this process, while commands run beside it. */
export async function openServedFixture(sqlite: Engine): Promise<ServedFixture> {
  const fixture = await openSampleFixture(sqlite)
  const config = parseConfig({ ...fixture.settings, LOG_LEVEL: 'silent', PORT: '0', DRAIN_MS: '0' })
  const server = await startServer(config, openLog(config))
  endLater(() => server.close())
  return { ...fixture, api: `${server.baseUrl}/api/v1` }
}

/** Created once per process and copied. Uses the real clock, as the commands do. */
let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const DATA_DIR = await mkdtemp(path.join(inject('templates'), 'desk-'))
  const config = parseConfig({ DATA_DIR, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  await migrate(database, systemClock)
  const sample = await readSample()
  await recordChanges(database, systemClock, (tx, record) => loadSample(tx, systemClock, record, sample))
  await database.close()
  return DATA_DIR
}
