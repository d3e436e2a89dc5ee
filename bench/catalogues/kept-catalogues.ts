// Provides generated catalogues: in the directory of this run, or in a directory that is kept for the next run and
// named by the version of the generator.
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
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
  const directory = isKept
    ? path.join(tmpdir(), `watchdata-bench-catalogue-v${generatorVersion}-${count}`)
    : path.join(runDir, `catalogue-${count}`)
  const files = filesIn(directory)
  // The key is written last, so its presence shows that the catalogue is complete.
  if (!existsSync(files.key)) {
    rmSync(directory, { recursive: true, force: true })
    tellStep(`generating ${count} watches …`)
    const startedMs = performance.now()
    await generateCatalogue(count, directory)
    tellStep(`  in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  }
  return {
    count,
    directory,
    key: readFileSync(files.key, 'utf8').trim(),
    ndjsonFile: files.ndjson,
    ndjsonBytes: statSync(files.ndjson).size,
  }
}
