// In charge of what must be known before a measurement: the totals, to choose pages that exist, and the answers
// that the bare server will send. Asks a process of its own, so that the measured one has seen no request yet.
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
  /** The directory of the recorded answers. */
  readonly recording: string
  readonly medianBody: Buffer
  readonly about: string
}

interface Wanted {
  readonly combinations: readonly Combination[]
  /** How many answers are recorded. */
  readonly recorded: number
  /** Whether those whose answers are recorded are measured as well: not where nothing may repeat. */
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

/** Asks for the total of every combination and takes one of its pages at random. */
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
    tellStep('  BEWARE: every total is the whole catalogue; this service ignores filters')
  const empty = totals.indexOf(0)
  if (empty >= 0)
    throw new Error(`${combinations[empty]?.query} comes from the catalogue and found nothing in it`)
  const random = randomFrom(pageSeed)
  return { totals, paths: combinations.map((one, index) => pathOf(random, one, totals[index] ?? 0, perPage)) }
}

export function linesOf(paths: readonly string[]): string {
  return `${paths.join('\n')}\n`
}
