// In charge of running one suite on each database engine, and of suites that need an outside program. What
// cannot run here is skipped under its own name, so that it shows in the results.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, inject } from 'vitest'
import type { ProgramName } from './programs/program.ts'

interface EngineSettings {
  DATA_DIR: string
  DATABASE_URL?: string
}

export interface Engine {
  name: 'sqlite' | 'postgres'
  /** A new, empty data directory, and on Postgres a new, empty database, at every call. */
  settings(): Promise<EngineSettings>
  /** Removes all that `settings` made; runs by itself after the suite. */
  cleanup(): Promise<void>
}

export function describeEachEngine(name: string, suite: (engine: Engine) => void): void {
  describe(`${name} [sqlite]`, () => suite(createEngine()))
  describeWithPostgres(name, (url) => suite(createEngine(url)))
}

export function describeWithPostgres(name: string, suite: (url: string) => void): void {
  describeWith('postgres', name, suite)
}

export function describeWithRedis(name: string, suite: (url: string) => void): void {
  describeWith('redis', name, suite)
}

export function describeWithChromium(name: string, suite: (path: string) => void): void {
  describeWith('chromium', name, suite)
}

function describeWith(program: ProgramName, name: string, suite: (address: string) => void): void {
  const address = inject(program)
  assert(
    address !== undefined,
    `"${name}" needs ${program}, which this project does not ask for: see test/projects.ts`,
  )
  // The suite's body runs even when skipped, to learn its tests' names, hence the empty address.
  describe.skipIf(address === null)(`${name} [${program}]`, () => suite(address ?? ''))
}

/** SQLite, or PostgreSQL on the given server. */
export function createEngine(serverUrl?: string): Engine {
  const directories: string[] = []
  const databases: string[] = []

  async function settings(): Promise<EngineSettings> {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'watchdata-test-'))
    directories.push(DATA_DIR)
    if (serverUrl === undefined) return { DATA_DIR }
    const database = `test_${randomBytes(8).toString('hex')}`
    await execute(serverUrl, `CREATE DATABASE ${database}`)
    databases.push(database)
    return { DATA_DIR, DATABASE_URL: databaseUrl(serverUrl, database) }
  }

  async function cleanup(): Promise<void> {
    for (const database of databases.splice(0)) {
      await execute(serverUrl ?? '', `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    }
    for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
  }

  afterAll(cleanup)
  return { name: serverUrl === undefined ? 'sqlite' : 'postgres', settings, cleanup }
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
