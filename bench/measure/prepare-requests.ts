// Prepares the requests of a measurement: reads the total of each combination, to choose pages that exist, and records
// the responses for the bare server. Uses a separate process, so that the measured process has seen no request yet.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Recorder } from '../baselines/recording.ts'
import type { Catalogue } from '../catalogues/kept-catalogues.ts'
import { randomFrom } from '../catalogues/random.ts'
import { medianOf } from './load.ts'
import { tellStep } from './report.ts'
import { type Combination, pathOf } from './requests.ts'
import { askAll, startServing } from './serving-process.ts'

export interface Prepared {
  readonly pathsFile: string
  readonly paths: number
  /** Directory of the recorded responses. */
  readonly recording: string
  readonly medianBody: Buffer
  /** Summary of the requests for the report. */
  readonly about: string
}

interface Wanted {
  readonly combinations: readonly Combination[]
  /** How many responses are recorded. */
  readonly recorded: number
  /** Whether the recorded requests are measured as well: false when no request may be repeated. */
  readonly areRecordedMeasured: boolean
}

const perPage = 25
const pageSeed = 17

export async function prepareRequests(
  name: string,
  catalogue: Catalogue,
  runDir: string,
  { combinations, recorded, areRecordedMeasured }: Wanted,
): Promise<Prepared> {
  const startedMs = performance.now()
  const recording = path.join(runDir, name.replaceAll(' ', '-'))
  mkdirSync(recording, { recursive: true })
  const asked = await startServing(catalogue.directory)
  try {
    const { paths, totals } = await choosePaths(asked.url, catalogue, combinations)
    const recorder = new Recorder(recording)
    await askAll(asked.url, catalogue.key, paths.slice(0, recorded), (answer) => recorder.add(answer))
    const measured = areRecordedMeasured ? paths : paths.slice(recorded)
    const pathsFile = path.join(recording, 'paths')
    writeFileSync(pathsFile, linesOf(measured))
    const different = new Set(combinations.map(({ meaning }) => meaning)).size
    const about = `${measured.length} requests, of ${combinations.length} combinations ${different} different, median total ${medianOf(totals)}`
    tellStep(`${name}: prepared in ${((performance.now() - startedMs) / 1000).toFixed(0)} s; ${about}`)
    return { pathsFile, paths: measured.length, recording, medianBody: recorder.finish(), about }
  } finally {
    await asked.process.stop()
  }
}

/** Requests the total of every combination and chooses one of its pages at random. */
export async function choosePaths(
  url: string,
  catalogue: Catalogue,
  combinations: readonly Combination[],
): Promise<{ paths: string[]; totals: number[] }> {
  const totals: number[] = []
  const questions = combinations.map(({ query }) => `/api/v1/watches?${query}&per_page=1`)
  await askAll(url, catalogue.key, questions, ({ body }, index) => {
    totals[index] = JSON.parse(body.toString()).meta.total
  })
  if (totals.every((total) => total === catalogue.count))
    tellStep('  WARNING: every total is the whole catalogue; this service ignores filters')
  const empty = totals.indexOf(0)
  if (empty >= 0)
    throw new Error(`${combinations[empty]?.query} was drawn from the catalogue but matches no watch`)
  const random = randomFrom(pageSeed)
  return { totals, paths: combinations.map((one, index) => pathOf(random, one, totals[index] ?? 0, perPage)) }
}

export function linesOf(paths: readonly string[]): string {
  return `${paths.join('\n')}\n`
}
