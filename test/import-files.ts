// In charge of an import for a test: files of its own, in a directory of its own, into the test's database.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../src/clock.ts'
import { fromColumns, toColumns } from '../src/imports/drafts/draft-columns.ts'
import { type AsideFile, openDraftsAside } from '../src/imports/drafts/drafts-aside.ts'
import { openDrafts } from '../src/imports/drafts/open-drafts.ts'
import type { DraftOptions, FileStart, ImportOptions, ImportSummary } from '../src/imports/import-options.ts'
import { type RejectedRow, Rejects } from '../src/imports/rejects.ts'
import { importWatches } from '../src/imports/watches/import-watches.ts'
import type { Database } from '../src/storage/database.ts'

export interface ImportSetting extends Partial<ImportOptions> {
  readonly maxErrors?: number
  readonly prune?: (count: number) => Promise<void>
}

export interface Imported extends ImportSummary {
  readonly starts: readonly FileStart[]
  /** What rejected.ndjson has. */
  readonly left: readonly RejectedRow[]
}

/** Name of a file → its contents. They are imported in this order. */
export async function importFiles(
  { database, clock }: { database: Database; clock: Clock },
  files: Readonly<Record<string, string | Uint8Array>>,
  { maxErrors = 1_000, prune, ...options }: ImportSetting = {},
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
      openFile: openSparingly,
      rejects: new Rejects(rejected, maxErrors),
      onWait: () => {},
      onFile: (start) => void starts.push(start),
      onProgress: () => {},
      confirmPrune: prune,
    },
    paths,
    { ...plainOptions, ...options },
  )
  return { ...summary, starts, left: await readLeft(rejected) }
}

const smallBytes = 10_000

/**
 * To start a thread takes longer than most tests do. A small file is read here, and what comes of it goes the way that it
 * takes from one thread to another all the same; a larger one is read as always.
 */
async function openSparingly(file: string, options: DraftOptions): Promise<AsideFile> {
  if ((await stat(file)).size > smallBytes) return openDraftsAside(file, options)
  const { start, batches } = await openDrafts(file, structuredClone(options))
  return {
    start: structuredClone(start),
    async *batches() {
      for await (const { drafts, ...batch } of batches()) {
        yield { ...structuredClone(batch), drafts: fromColumns(structuredClone(toColumns(drafts))) }
      }
    },
    close: async () => {},
  }
}

const plainOptions: ImportOptions = {
  read: {},
  map: undefined,
  rates: new Map(),
  brand: undefined,
  key: undefined,
  source: 'import',
  isDryRun: false,
  isReplacing: false,
}

async function readLeft(file: string): Promise<RejectedRow[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
