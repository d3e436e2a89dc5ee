// Provides an empty database for a drill on each engine: SQLite in its own directory, PostgreSQL on its own server,
// which syncs as in production and may be killed. Both are removed afterwards.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Environment } from '../../src/config.ts'
import type { Engine } from '../../src/storage/database.ts'
import { startPostgres } from '../programs/postgres.ts'

export interface DrillEngine {
  readonly name: Engine
  readonly settings: Environment
  /** Set only if there is a server, which the drill may break. */
  readonly server?: { kill(): Promise<void>; restart(): Promise<void> }
}

/** Runs the drill on each engine in sequence. Returns true if it passed on every available engine. */
export async function onEachEngine(
  engines: readonly Engine[],
  run: (engine: DrillEngine) => Promise<boolean>,
): Promise<boolean> {
  let isKept = true
  for (const engine of engines) {
    isKept = (await (engine === 'sqlite' ? onSqlite(run) : onPostgres(run))) && isKept
  }
  return isKept
}

async function onSqlite(run: (engine: DrillEngine) => Promise<boolean>): Promise<boolean> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-drill-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  process.on('exit', remove)
  try {
    return await run({ name: 'sqlite', settings: { DATA_DIR: directory } })
  } finally {
    remove()
    process.off('exit', remove)
  }
}

async function onPostgres(run: (engine: DrillEngine) => Promise<boolean>): Promise<boolean> {
  const server = await startPostgres({ durable: true })
  if (!server.available) {
    process.stdout.write(`postgres: not run, ${server.reason}\n`)
    return true
  }
  try {
    return await run({ name: 'postgres', settings: { DATABASE_URL: server.address }, server })
  } finally {
    await server.stop()
  }
}
