// Provides generated catalogues: in the directory of this run, or in a directory that is kept for the next run and
// named by the version of the generator. A run gets a copy of a kept database, because the service writes to it.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tellStep } from '../measure/report.ts'
import { filesIn, generateCatalogue } from './generate.ts'
import { generatorVersion } from './generated-watch.ts'

export interface Catalogue {
  readonly count: number
  /** A DATA_DIR. */
  readonly directory: string
  readonly key: string
  readonly ndjsonFile: string
  readonly ndjsonBytes: number
}

export async function provideCatalogue(count: number, runDir: string, isKept: boolean): Promise<Catalogue> {
  const directory = path.join(runDir, `catalogue-${count}`)
  const generatedIn = isKept
    ? path.join(tmpdir(), `watchdata-bench-catalogue-v${generatorVersion}-${count}`)
    : directory
  const files = filesIn(generatedIn)
  // The key is written last, so its presence shows that the catalogue is complete.
  if (!existsSync(files.key)) {
    rmSync(generatedIn, { recursive: true, force: true })
    tellStep(`generating ${count} watches …`)
    const startedMs = performance.now()
    await generateCatalogue(count, generatedIn)
    tellStep(`  in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  }
  if (isKept) {
    mkdirSync(directory, { recursive: true })
    copyFileSync(files.database, filesIn(directory).database)
  }
  return {
    count,
    directory,
    key: readFileSync(files.key, 'utf8').trim(),
    ndjsonFile: files.ndjson,
    ndjsonBytes: statSync(files.ndjson).size,
  }
}
