// Provides copies for the tests of `watchdata sync`: a target of each kind, what a copy contains, and what the API lists.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { type Watch, Watchdata } from '../../sdk/src/index.ts'

export const formats = ['ndjson', 'sqlite'] as const
export type Format = (typeof formats)[number]

export interface Target {
  readonly file: string
  /** The value of --to. */
  readonly to: string
  watches(): Watch[]
  cursor(): string
  setCursor(cursor: string): void
  exists(): boolean
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sync-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A target in a new folder. */
export async function makeTarget(format: Format): Promise<Target> {
  const folder = await makeFolder()
  return format === 'sqlite'
    ? sqliteTarget(path.join(folder, 'watches.db'))
    : fileTarget(path.join(folder, 'watches.ndjson'))
}

function fileTarget(file: string): Target {
  const state = () => JSON.parse(readFileSync(`${file}.cursor`, 'utf8'))
  return {
    file,
    to: file,
    watches: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    cursor: () => state().cursor,
    setCursor: (cursor) => writeFileSync(`${file}.cursor`, JSON.stringify({ ...state(), cursor })),
    exists: () => existsSync(file),
  }
}

function sqliteTarget(file: string): Target {
  const withDatabase = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    file,
    to: `sqlite:${file}`,
    watches: () =>
      withDatabase((database) =>
        database
          .prepare('SELECT * FROM watches ORDER BY id')
          .all()
          .map((row) => ({ ...row, specs: JSON.parse(String(row.specs)) }) as unknown as Watch),
      ),
    cursor: () =>
      withDatabase((database) => String(database.prepare('SELECT cursor FROM sync_state').get()?.cursor)),
    setCursor: (cursor) =>
      withDatabase((database) => database.prepare('UPDATE sync_state SET cursor = ?').run(cursor)),
    exists: () => existsSync(file),
  }
}

/** What the API lists, by id. */
export async function listOf(api: string, apiKey: string): Promise<Watch[]> {
  const all: Watch[] = []
  for await (const watch of new Watchdata({ baseUrl: api, apiKey }).watches.list({ after: 0 }))
    all.push(watch)
  return all
}

/** Waits until the service has every change that is in its database. */
export async function untilServed(api: string, apiKey: string, dataDir: string): Promise<void> {
  const database = new DatabaseSync(path.join(dataDir, 'watchdata.sqlite'), { readOnly: true })
  const head = database.prepare('SELECT max(sequence) AS head FROM changes').get()?.head
  database.close()
  const client = new Watchdata({ baseUrl: api, apiKey, maxRetries: 10 })
  await client.watches.list({ per_page: 1 }, { headers: { 'x-min-sequence': String(head) } })
}
