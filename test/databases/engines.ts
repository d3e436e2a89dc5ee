// Runs one suite on each database engine, and suites that need an external program. A suite that cannot run here is
// skipped under its own name, so that it shows in the results.
import assert from 'node:assert/strict'
import { afterAll, describe, inject } from 'vitest'
import type { ProgramName } from '../programs/program.ts'
import {
  type Contents,
  copyPostgres,
  copySqlite,
  type DatabaseSettings,
  remove,
} from './template-databases.ts'

export interface Engine {
  name: 'sqlite' | 'postgres'
  /** Creates a data directory, and on PostgreSQL a database, at every call; empty by default. */
  settings(contents?: Contents): Promise<DatabaseSettings>
  /** Removes everything `settings` created. Runs automatically after the suite. */
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
    `"${name}" needs ${program}, which test/programs/needed-programs.ts did not find in its source`,
  )
  // Vitest runs the body of a skipped suite to collect its test names, hence the empty address.
  describe.skipIf(address === null)(`${name} [${program}]`, () => suite(address ?? ''))
}

/** SQLite, or PostgreSQL on the given server. */
export function createEngine(serverUrl?: string): Engine {
  const made: DatabaseSettings[] = []

  async function settings(contents: Contents = 'empty'): Promise<DatabaseSettings> {
    const copy = await (serverUrl === undefined ? copySqlite(contents) : copyPostgres(serverUrl, contents))
    made.push(copy)
    return copy
  }

  async function cleanup(): Promise<void> {
    for (const copy of made.splice(0)) await remove(copy, serverUrl)
  }

  afterAll(cleanup)
  return { name: serverUrl === undefined ? 'sqlite' : 'postgres', settings, cleanup }
}
