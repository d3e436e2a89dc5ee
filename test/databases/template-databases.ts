// Creates the databases that tests start with. Each kind is built once per run as a template and then copied: a copy
// takes a tenth of the time of a migration.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Client, type QueryResult } from 'pg'
import { inject } from 'vitest'
import { deleteWatches } from '../../src/catalogue/watches.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { templatesPrefix } from './templates-prefix.ts'

export interface DatabaseSettings {
  readonly DATA_DIR: string
  readonly DATABASE_URL?: string
  readonly CHANGE_RETENTION_DAYS: string
}

/** The changes of a template have the manual clock's time: for a server with the real clock, they are old. */
const kept = { CHANGE_RETENTION_DAYS: '0' }

/**
 * `sample` is the database of a server that was started once, at the manual clock's initial time. `few` is `sample`
 * with only its first watches, which halves the start time of a server.
 */
export type Contents = 'empty' | 'migrated' | 'sample' | 'few'

const fewWatches = 24

export async function copySqlite(contents: Contents): Promise<DatabaseSettings> {
  const DATA_DIR = await makeDirectory()
  if (contents !== 'empty') {
    const template = path.join(inject('templates'), `sqlite-${contents}`)
    if (!existsSync(template)) {
      const made = contents === 'few' ? (await copySqlite('sample')).DATA_DIR : await makeDirectory()
      await fill(contents, { DATA_DIR: made, ...kept })
      await moveInto(template, made)
    }
    await cp(template, DATA_DIR, { recursive: true })
  }
  return { DATA_DIR, ...kept }
}

export async function copyPostgres(serverUrl: string, contents: Contents): Promise<DatabaseSettings> {
  const DATA_DIR = await makeDirectory()
  const template = contents === 'empty' ? undefined : await providePostgres(serverUrl, contents)
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(
    serverUrl,
    `CREATE DATABASE ${name} TEMPLATE ${template ?? 'template1'} ${await strategyOf(serverUrl)}`,
  )
  if (contents !== 'empty' && contents !== 'migrated')
    await cp(keptBeside(serverUrl, contents), DATA_DIR, { recursive: true })
  return { DATA_DIR, DATABASE_URL: databaseUrl(serverUrl, name), ...kept }
}

export async function remove(
  { DATA_DIR, DATABASE_URL }: DatabaseSettings,
  serverUrl?: string,
): Promise<void> {
  if (serverUrl !== undefined && DATABASE_URL !== undefined) {
    await execute(
      serverUrl,
      `DROP DATABASE IF EXISTS ${new URL(DATABASE_URL).pathname.slice(1)} WITH (FORCE)`,
    )
  }
  await rm(DATA_DIR, { recursive: true, force: true })
}

/** Templates known to exist; another process of this run may have built them. */
const provided = new Map<string, Promise<string>>()

function providePostgres(serverUrl: string, contents: Exclude<Contents, 'empty'>): Promise<string> {
  const key = `${serverUrl} ${contents}`
  const template = provided.get(key) ?? makePostgres(serverUrl, contents)
  provided.set(key, template)
  return template
}

const lockNumber = 7_190_341

async function makePostgres(serverUrl: string, contents: Exclude<Contents, 'empty'>): Promise<string> {
  const name = templatesPrefix(inject('templates')) + contents
  // Before taking the lock, because providing the sample takes the same lock.
  const whole = contents === 'few' ? await providePostgres(serverUrl, 'sample') : undefined
  const client = new Client({ connectionString: serverUrl })
  try {
    await client.connect()
    await client.query(`SELECT pg_advisory_lock(${lockNumber})`)
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) {
      const making = `${name}_making`
      const made = await makeDirectory()
      await client.query(`DROP DATABASE IF EXISTS ${making} WITH (FORCE)`)
      await client.query(`CREATE DATABASE ${making} TEMPLATE ${whole ?? 'template1'}`)
      if (whole !== undefined) await cp(keptBeside(serverUrl, 'sample'), made, { recursive: true })
      await fill(contents, { DATA_DIR: made, DATABASE_URL: databaseUrl(serverUrl, making), ...kept })
      await moveInto(keptBeside(serverUrl, contents), made)
      await client.query(`ALTER DATABASE ${making} RENAME TO ${name}`)
    }
  } finally {
    await client.end()
  }
  return name
}

/** The directory that stores the data directory of a PostgreSQL template: it contains the demo key. */
function keptBeside(serverUrl: string, contents: Contents): string {
  return path.join(inject('templates'), `postgres-${new URL(serverUrl).port}-${contents}`)
}

/** Fills a new database; for `few`, the database already contains the whole sample. */
async function fill(contents: Exclude<Contents, 'empty'>, settings: DatabaseSettings): Promise<void> {
  const config = parseConfig({ ...settings, LOG_LEVEL: 'silent', PORT: '0', DRAIN_MS: '0' })
  if (contents === 'sample') {
    const { startServer } = await import('../../src/server.ts')
    const server = await startServer(config, openLog(config), manualClock())
    await server.close()
    return
  }
  const database = await openDatabase(config, openLog(config))
  await (contents === 'few' ? keepFew(database) : migrate(database, manualClock()))
  await database.close()
}

async function keepFew(database: Database): Promise<void> {
  const rows = await database.reader.selectFrom('watches').select('id').where('id', '>', fewWatches).execute()
  const ids = rows.map(({ id }) => id)
  await recordChanges(database, manualClock(), (tx, record) => deleteWatches(tx, record, ids))
}

/** Another process may have finished first; its copy is just as good. */
async function moveInto(template: string, made: string): Promise<void> {
  await mkdir(path.dirname(template), { recursive: true })
  await rename(made, template).catch(() => rm(made, { recursive: true, force: true }))
}

function makeDirectory(): Promise<string> {
  return mkdtemp(path.join(inject('templates'), 'test-'))
}

/** One connection per server, open until the process ends: connecting takes as long as copying. */
const connections = new Map<string, Promise<Client>>()

async function execute(url: string, sql: string): Promise<QueryResult> {
  const connection = connections.get(url) ?? connect(url)
  connections.set(url, connection)
  return (await connection).query(sql)
}

/** Copies file by file, as PostgreSQL did before version 15: half the work of copying page by page through the WAL. */
async function strategyOf(serverUrl: string): Promise<string> {
  const { rows } = await execute(serverUrl, 'SHOW server_version_num')
  return Number(rows[0].server_version_num) >= 150_000 ? 'STRATEGY FILE_COPY' : ''
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // A test may stop its server; the next test connects again.
  client.on('error', () => {}).on('end', () => connections.delete(url))
  await client.connect()
  return client
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
