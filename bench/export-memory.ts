// `npm run bench -- export`: measures how much the memory of the service grows during an export of a million watches,
// how fast the export is, and how much slower other requests become meanwhile.
import http from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { drawMix } from './measure/draw-mix.ts'
import { applyLoad, applyLoadDuring } from './measure/load.ts'
import { longestDelay, loopDelayFlags } from './measure/read-loop-delay.ts'
import { atMost, type Figure, printReport, tellStep } from './measure/report.ts'
import { writeRequests } from './measure/request-file.ts'
import { sourceOf } from './measure/requests.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { type Serving, startServing } from './measure/serving-process.ts'
import { curl } from './workloads/clients.ts'
import { listPath } from './workloads/workload.ts'

const count = 1_000_000
const codings = ['identity', 'gzip', 'zstd'] as const
type Coding = (typeof codings)[number]

const memoryMaxMb = 64
const megabyte = 1024 * 1024
const lookMs = 20
const exportMaxMs = 600_000
const mixRequests = 5_000
const [warmUpSeconds, quietSeconds] = [10, 20]
/** A little more than loop-delay.ts takes between two reports. */
const loopReportMs = 1_500

export async function benchExport(flags: readonly string[]): Promise<void> {
  const runDir = openRunDirectory()
  const catalogue = await provideCatalogue(count, runDir, flags.includes('--keep'))
  const serving = await startServing(catalogue.directory, { core: 'any', nodeFlags: loopDelayFlags })
  const figures: Figure[] = []
  try {
    const requestsFile = path.join(runDir, 'requests')
    const mix = await drawMix(serving.url, catalogue, await sourceOf(count), mixRequests)
    const lines = mix.map(({ query }) => ({ path: `${listPath}?${query}` }))
    writeRequests(requestsFile, curl(catalogue.key), lines)
    const load = { url: serving.url, server: serving.process, requestsFile }
    // Fills the result cache first, so that its memory does not count as the export's.
    await applyLoad({ ...load, seconds: warmUpSeconds })
    for (const coding of codings) figures.push(...(await measureMemory(serving, catalogue, coding)))
    const quiet = await applyLoad({ ...load, seconds: quietSeconds })
    for (const coding of codings) {
      const busy = await applyLoadDuring({ ...load, seconds: exportMaxMs / 1_000 }, async () => {
        await exportAll(serving, catalogue, coding)
      })
      figures.push({
        name: `GET /watches during an export in ${coding}: p99 / quiet p99`,
        ...atMost(busy.p99Ms / quiet.p99Ms, undefined, '×'),
        details: `${told(busy)}; quiet ${told(quiet)}`,
      })
    }
  } finally {
    if (!printReport(figures, [])) process.exitCode = 1
    await serving.process.stop()
  }
}

async function measureMemory(serving: Serving, catalogue: Catalogue, coding: Coding): Promise<Figure[]> {
  const { process: own } = serving
  const printed = own.output.length
  const before = own.rssBytes()
  let highest = before
  const looking = setInterval(() => {
    highest = Math.max(highest, own.rssBytes())
  }, lookMs)
  const startedMs = performance.now()
  const bytes = await exportAll(serving, catalogue, coding)
  const seconds = (performance.now() - startedMs) / 1_000
  clearInterval(looking)
  const grownMb = (highest - before) / megabyte
  // loop-delay.ts has not reported the last second yet.
  await delay(loopReportMs)
  const blocked = longestDelay(own.output.slice(printed))
  const plainMb = catalogue.ndjsonBytes / megabyte
  const rate = `${seconds.toFixed(1)} s; ${(plainMb / seconds).toFixed(0)} MB/s of lines`
  tellStep(`  ${coding}: memory grew by ${grownMb.toFixed(1)} MB, ${rate}`)
  return [
    {
      name: `export in ${coding}: memory grows by`,
      ...atMost(grownMb, memoryMaxMb, 'MB'),
      details: `of ${(before / megabyte).toFixed(0)} MB; ${rate}, ${(bytes / megabyte).toFixed(0)} MB sent`,
    },
    {
      name: `export in ${coding}: event loop blocked for at most`,
      ...atMost(blocked.wallMs, undefined, 'ms'),
      details: `of which its thread ran for ${blocked.cpuMs.toFixed(1)} ms`,
    },
  ]
}

/** Downloads the export and returns its size in bytes; rejects on an error status or a broken connection. */
function exportAll({ url }: Serving, { key }: Catalogue, coding: Coding): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': coding }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const options = { headers, agent: false, timeout: exportMaxMs }
  http
    .get(`${url}/api/v1/export`, options, (response) => {
      let bytes = 0
      response
        .on('data', (piece: Buffer) => {
          bytes += piece.length
        })
        .once('error', reject)
        .once('end', () => {
          if (response.statusCode === 200) resolve(bytes)
          else reject(new Error(`/export returned ${response.statusCode}`))
        })
    })
    .once('error', reject)
  return promise
}

function told({ perSecond, p50Ms, p99Ms }: { perSecond: number; p50Ms: number; p99Ms: number }): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}
