// Measures requests per second of the service, of a bare node:http server that sends the same bytes, and of nginx with
// a static file. They take turns on one core, once under a mix of filters and once under filters that never repeat.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Nginx, startNginx } from './baselines/nginx.ts'
import type { Catalogue } from './catalogues/kept-catalogues.ts'
import { randomFrom } from './catalogues/random.ts'
import { type Contender, medianRatio, rateOf, runRounds, warmUpSeconds } from './measure/contest.ts'
import { isDoubtful } from './measure/load.ts'
import { type Prepared, prepareRequests } from './measure/prepare-requests.ts'
import { BenchProcess } from './measure/processes.ts'
import { atLeast, atMost, type Figure, type Rate, tellStep } from './measure/report.ts'
import { drawCombination, drawDistinct, type Source } from './measure/requests.ts'
import { readMetric, type Serving, startServing } from './measure/serving-process.ts'

export interface ThroughputPlan {
  readonly label: string
  readonly catalogue: Catalogue
  readonly source: Source
  readonly runDir: string
  readonly rounds: number
  readonly seconds: number
  readonly targets: { readonly mix?: number; readonly distinct?: number; readonly memory?: number }
  readonly parts: ReadonlySet<Contest>
}

type Contest = 'mix' | 'distinct'

interface Outcome {
  readonly figures: readonly Figure[]
  readonly rates: readonly Rate[]
}

const mixPaths = 20_000
/**
 * Number of responses recorded for the bare server. They come from other combinations than the measured ones, which the
 * service must not have seen before.
 */
const distinctRecorded = 4_000
/** Rate assumed when the mix has not been measured: about half of the rate of the bare server. */
const assumedPerSecond = 8_000
/** The list of distinct combinations is this much longer than the rate of the mix requires. */
const spareFactor = 1.2
const mixSeed = 11
const distinctSeed = 13
const lifeMaxMs = 3_600_000
const bareServer = fileURLToPath(new URL('./baselines/bare-server.ts', import.meta.url))

export async function benchThroughput(plan: ThroughputPlan): Promise<Outcome> {
  const { catalogue, source, runDir, label, parts } = plan
  const random = randomFrom(mixSeed)
  const combinations = Array.from({ length: mixPaths }, () => drawCombination(random, source))
  const wanted = { combinations, recorded: mixPaths, areRecordedMeasured: true }
  const mix = parts.has('mix') ? await prepareRequests(`${label} mix`, catalogue, runDir, wanted) : undefined
  const serving = await startServing(catalogue.directory)
  try {
    const rssReadyBytes = serving.process.rssBytes()
    const outcomes: Outcome[] = []
    if (mix !== undefined) outcomes.push(await compare(plan, 'mix', serving, mix))
    if (parts.has('distinct')) {
      const perSecond = outcomes[0]?.rates[0]?.perSecond ?? assumedPerSecond
      const needed = plan.rounds * (plan.seconds + warmUpSeconds) * perSecond * spareFactor
      const seen = new Set(combinations.map(({ meaning }) => meaning))
      const distinct = await prepareRequests(`${label} distinct`, catalogue, runDir, {
        combinations: drawDistinct(
          randomFrom(distinctSeed),
          source,
          distinctRecorded + Math.ceil(needed),
          seen,
        ),
        recorded: distinctRecorded,
        areRecordedMeasured: false,
      })
      outcomes.push(await compare(plan, 'distinct', serving, distinct))
    }
    return {
      figures: [...outcomes.flatMap(({ figures }) => figures), await memoryOf(plan, serving, rssReadyBytes)],
      rates: outcomes.flatMap(({ rates }) => rates),
    }
  } finally {
    await serving.process.stop()
  }
}

async function memoryOf(
  { label, catalogue, targets }: ThroughputPlan,
  serving: Serving,
  rssReadyBytes: number,
): Promise<Figure> {
  const rssLoadedBytes = serving.process.rssBytes()
  const indexBytes = await readMetric(serving.url, 'watchdata_index_bytes')
  const ratio = Math.max(rssReadyBytes, rssLoadedBytes) / catalogue.ndjsonBytes
  return {
    name: `${label}: memory / NDJSON`,
    ...atMost(ratio, targets.memory, '×'),
    details: `RSS ${mb(rssReadyBytes)} ready, ${mb(rssLoadedBytes)} after load; index ${mb(indexBytes)}; NDJSON ${mb(catalogue.ndjsonBytes)}`,
  }
}

async function compare(
  plan: ThroughputPlan,
  contest: Contest,
  serving: Serving,
  prepared: Prepared,
): Promise<Outcome> {
  const { pathsFile, paths, recording } = prepared
  const name = `${plan.label} ${contest}`
  const bare = new BenchProcess([process.execPath, bareServer, recording], {
    core: 'server',
    maxMs: lifeMaxMs,
  })
  let nginx: Nginx | string | undefined
  try {
    const contenders: Contender[] = [
      {
        server: 'service',
        url: serving.url,
        process: serving.process,
        pathsFile,
        ...(contest === 'distinct' ? { once: { paths, used: 0 } } : {}),
      },
      { server: 'bare node:http', url: await bare.line(/^http/), process: bare, pathsFile },
    ]
    nginx = await startNginx(path.join(recording, 'nginx'), prepared.medianBody)
    if (typeof nginx === 'string') tellStep(`nginx is skipped: ${nginx}`)
    else contenders.push({ server: 'nginx', ...nginx })
    const results = await runRounds({ ...plan, key: plan.catalogue.key }, name, contenders)
    const [service = [], bareRuns = [], nginxRuns] = results
    return {
      figures: [
        {
          name: `${plan.label}: ${contest}, service / bare node:http`,
          ...atLeast(medianRatio(service, bareRuns), plan.targets[contest]),
          isDoubtful: isDoubtful(service, bareRuns),
          details: `${medianRatio(service, bareRuns, 'perCpuSecond').toFixed(2)} by CPU second; ${prepared.about}`,
        },
        ...(nginxRuns === undefined
          ? []
          : [
              {
                name: `${plan.label}: ${contest}, service / nginx`,
                ...atLeast(medianRatio(service, nginxRuns), undefined),
              },
            ]),
      ],
      rates: contenders.map(({ server }, index) => rateOf(name, server, results[index] ?? [])),
    }
  } finally {
    await bare.stop()
    if (typeof nginx === 'object') await nginx.process.stop()
  }
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
