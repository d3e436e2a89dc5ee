// Opens the catalogue that test keys read: the sample that ships with the service, in a database and an index of their
// own, which nothing that happens to the live catalogue can change.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CacheBudget, megabyte } from '../cache-budget.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { runWorker } from '../run-worker.ts'
import { buildIndex } from '../search/index/build-index.ts'
import type { FairTurns } from '../search/index/fair-turns.ts'
import { WatchIndex } from '../search/index/watch-index.ts'
import type { Vocabulary } from '../specs/vocabulary.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'

interface Sandbox {
  readonly database: Database
  readonly index: WatchIndex
  readonly budget: CacheBudget
}

export interface SandboxParts {
  readonly config: Config
  readonly vocabulary: Vocabulary
  readonly log: Log
  readonly turns: FairTurns
}

/** Opened with the first request of a test key: most instances have none. */
export interface SandboxOnDemand {
  open(): Promise<Sandbox>
  close(): Promise<void>
}

interface Opened extends Sandbox {
  readonly directory: string
}

const cacheMb = 4

export function sandboxOnDemand(parts: SandboxParts): SandboxOnDemand {
  let opened: Promise<Opened> | undefined
  return {
    open() {
      opened ??= openSandbox(parts)
      // A failed attempt is repeated with the next request.
      opened.catch(() => {
        opened = undefined
      })
      return opened
    },
    async close() {
      const sandbox = await opened?.catch(() => undefined)
      if (sandbox === undefined) return
      await sandbox.database.close()
      await rm(sandbox.directory, { recursive: true, force: true })
    },
  }
}

async function openSandbox({ config, vocabulary, log, turns }: SandboxParts): Promise<Opened> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-sandbox-'))
  try {
    // In a worker thread: other requests would wait for it.
    await runWorker(new URL('./fill-sandbox.ts', import.meta.url), { workerData: directory })
    const database = await openDatabase({ ...config, databaseUrl: undefined, dataDir: directory }, log)
    const built = await database.snapshot((view) => buildIndex(view, vocabulary))
    const budget = new CacheBudget(cacheMb * megabyte)
    return { directory, database, budget, index: new WatchIndex(built, vocabulary, budget, turns) }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
