// `npm run bench -- ready`: measures how long the service takes until it is ready, compared with parsing the same watches from NDJSON line by
// line. Both run as whole processes on all cores, alternating, with the files in the page cache.
import { fileURLToPath } from 'node:url'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { medianOf } from './measure/load.ts'
import { BenchProcess } from './measure/processes.ts'
import { atMost, printReport, tellStep } from './measure/report.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { startServing } from './measure/serving-process.ts'

const count = 1_000_000
const rounds = 3
const ratioMax = 4
const parseMaxMs = 300_000
const parser = fileURLToPath(new URL('./baselines/parse-lines.ts', import.meta.url))

export async function benchReady(flags: readonly string[]): Promise<void> {
  const catalogue = await provideCatalogue(count, openRunDirectory(), flags.includes('--keep'))
  const readyMs: number[] = []
  const parseMs: number[] = []
  // Runs one round more than it counts: round 0 fills the page cache.
  for (let round = 0; round <= rounds; round++) {
    const parsed = await parseOnce(catalogue)
    const started = await startOnce(catalogue)
    if (round === 0) continue
    parseMs.push(parsed)
    readyMs.push(started)
    tellStep(`  ready in ${seconds(started)}, parsed in ${seconds(parsed)}`)
  }
  const ratio = medianOf(readyMs.map((ms, round) => ms / (parseMs[round] ?? Number.NaN)))
  const details = `ready ${seconds(medianOf(readyMs))}; parse ${seconds(medianOf(parseMs))}`
  const figure = { name: '1m: ready / parse NDJSON', ...atMost(ratio, ratioMax, '×'), details }
  if (!printReport([figure], [])) process.exitCode = 1
}

async function parseOnce({ ndjsonFile, count }: Catalogue): Promise<number> {
  const startedMs = performance.now()
  const child = new BenchProcess([process.execPath, parser, ndjsonFile], { core: 'any', maxMs: parseMaxMs })
  const lines = Number(await child.end())
  if (lines !== count) throw new Error(`${ndjsonFile} has ${lines} lines instead of ${count}`)
  return performance.now() - startedMs
}

async function startOnce({ directory, count }: Catalogue): Promise<number> {
  const serving = await startServing(directory, { core: 'any' })
  await serving.process.stop()
  if (serving.watches !== count) throw new Error(`ready with ${serving.watches} watches instead of ${count}`)
  return serving.readyMs
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
