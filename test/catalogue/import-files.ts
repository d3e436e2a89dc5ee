// Runs an import for a test: writes files to a temporary directory and imports them into the test's database.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import type { FileStart, ImportOptions, ImportSummary } from '../../src/imports/import-options.ts'
import { type RejectedRow, Rejects } from '../../src/imports/rejects.ts'
import { importWatches } from '../../src/imports/watches/import-watches.ts'
import type { Database } from '../../src/storage/database.ts'
import { plainImport } from './plain-import.ts'

export interface ImportSetting extends Partial<ImportOptions> {
  readonly maxErrors?: number
  readonly prune?: (count: number) => Promise<void>
  readonly onProgress?: () => void
}

export interface Imported extends ImportSummary {
  readonly starts: readonly FileStart[]
  /** The rows in rejected.ndjson. */
  readonly left: readonly (RejectedRow & { readonly kind: string })[]
}

/** `files` maps file names to contents. They are imported in this order. */
export async function importFiles(
  { database, clock }: { database: Database; clock: Clock },
  files: Readonly<Record<string, string | Uint8Array>>,
  { maxErrors = 1_000, prune, onProgress = () => {}, ...options }: ImportSetting = {},
): Promise<Imported> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-import-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const paths: string[] = []
  for (const [name, contents] of Object.entries(files)) {
    paths.push(path.join(directory, name))
    await writeFile(path.join(directory, name), contents)
  }
  const starts: FileStart[] = []
  const rejected = path.join(directory, 'rejected.ndjson')
  const summary = await importWatches(
    {
      database,
      clock,
      rejects: new Rejects(rejected, maxErrors),
      onWait: () => {},
      onFile: (start) => void starts.push(start),
      onProgress,
      onPublish: () => {},
      confirmPrune: prune,
    },
    paths,
    { ...plainImport, ...options },
  )
  return { ...summary, starts, left: await readLeft(rejected) }
}

async function readLeft(file: string): Promise<Imported['left'][number][]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
