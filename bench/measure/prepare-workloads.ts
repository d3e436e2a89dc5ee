// Prepares the requests of the workloads, and records the responses for the bare server. Uses a separate process, so
// that the measured process has seen no request yet.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Recorder } from '../baselines/recording.ts'
import type { Catalogue } from '../catalogues/kept-catalogues.ts'
import type { Drawing, Workload } from '../workloads/workload.ts'
import { drawMix } from './draw-mix.ts'
import { tellStep } from './report.ts'
import { type RequestLine, writeRequests } from './request-file.ts'
import { sourceOf } from './requests.ts'
import { type Answer, askAll, startServing } from './serving-process.ts'

export interface Prepared {
  readonly workload: Workload
  readonly requestsFile: string
  readonly requests: number
  readonly status: number
  /** Directory of the recorded responses. */
  readonly recording: string
  /** The codings that the service chose, with their shares. */
  readonly codings: string
}

export interface Preparation {
  readonly workloads: readonly Workload[]
  readonly catalogue: Catalogue
  readonly runDir: string
  /** Requests of each workload; those that are never repeated need more. */
  readonly requests: number
  /** At most. */
  readonly recorded: number
  /** How long each workload will run. */
  readonly loadSeconds: number
}

/**
 * Requests that are never repeated must last for the whole run. The rate of the recording, times this factor, is more
 * than the service reaches under load.
 */
const spareFactor = 3
const unrepeatedMax = 400_000
/** Of slow responses fewer are recorded. */
const recordingMaxMs = 10_000

export async function prepareWorkloads(plan: Preparation): Promise<Prepared[]> {
  const { catalogue } = plan
  const asked = await startServing(catalogue.directory)
  try {
    const source = await sourceOf(catalogue.count)
    const drawing = { source, mix: await drawMix(asked.url, catalogue, source, plan.requests) }
    const prepared: Prepared[] = []
    for (const workload of plan.workloads) prepared.push(await prepare(asked.url, plan, drawing, workload))
    return prepared
  } finally {
    await asked.process.stop()
  }
}

async function prepare(
  url: string,
  plan: Preparation,
  drawing: Drawing,
  workload: Workload,
): Promise<Prepared> {
  const startedMs = performance.now()
  const { name, draw, client, isNeverRepeated = false, isConditional = false } = workload
  const headers = client(plan.catalogue.key)
  const recording = path.join(plan.runDir, name)
  mkdirSync(recording, { recursive: true })
  const next = draw(drawing)
  const drawLines = (count: number): RequestLine[] => Array.from({ length: count }, () => ({ path: next() }))
  let lines = drawLines(isNeverRepeated ? plan.recorded : plan.requests)
  if (isConditional) lines = await withEtags(url, headers, lines)
  const { perSecond, codings } = await record(url, headers, lines.slice(0, plan.recorded), recording)
  // The recorded requests are not measured if none may be repeated: the service may have cached their results.
  const needed = Math.min(unrepeatedMax, Math.ceil(perSecond * spareFactor * plan.loadSeconds))
  if (isNeverRepeated) lines = drawLines(Math.max(plan.recorded, needed))
  const requestsFile = path.join(recording, 'requests')
  writeRequests(requestsFile, headers, lines)
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  tellStep(`${name}: ${lines.length} requests prepared in ${seconds} s; ${codings}`)
  const status = isConditional ? 304 : 200
  return { workload, requestsFile, requests: lines.length, status, recording, codings }
}

/** Records the responses; returns how many the service sent per second, and in which codings. */
async function record(
  url: string,
  headers: Readonly<Record<string, string>>,
  lines: readonly RequestLine[],
  directory: string,
): Promise<{ perSecond: number; codings: string }> {
  const startedMs = performance.now()
  const recorder = new Recorder(directory)
  const codings = new Map<string, number>()
  let count = 0
  const add = (answer: Answer) => {
    recorder.add(answer)
    const coding = answer.headers['content-encoding'] ?? 'plain'
    codings.set(coding, (codings.get(coding) ?? 0) + 1)
    count++
  }
  await askAll(url, headers, lines, add, recordingMaxMs)
  recorder.finish()
  const perSecond = count / ((performance.now() - startedMs) / 1_000)
  return { perSecond, codings: sharesOf(codings, count) }
}

async function withEtags(
  url: string,
  headers: Readonly<Record<string, string>>,
  lines: readonly RequestLine[],
): Promise<RequestLine[]> {
  const etags: string[] = []
  await askAll(url, headers, lines, (answer, index) => {
    etags[index] = answer.headers.etag ?? ''
  })
  return lines.map(({ path }, index) => ({ path, etag: etags[index] ?? '' }))
}

function sharesOf(codings: ReadonlyMap<string, number>, all: number): string {
  const shares = [...codings].sort(([, one], [, other]) => other - one)
  return shares.map(([coding, count]) => `${coding} ${((count / all) * 100).toFixed(0)} %`).join(', ')
}
