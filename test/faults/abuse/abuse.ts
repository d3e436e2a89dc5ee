// The drill "no caller can hurt another": runs each attack on a service with default settings, beside an honest caller,
// and compares what the honest caller feels with quiet seconds before. Needs Linux, two cores, and a few minutes.
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Catalogue, provideCatalogue } from '../../../bench/catalogues/kept-catalogues.ts'
import { randomFrom } from '../../../bench/catalogues/random.ts'
import { BenchProcess } from '../../../bench/measure/processes.ts'
import { drawCombination, type Source, sourceOf } from '../../../bench/measure/requests.ts'
import { openRunDirectory } from '../../../bench/measure/run-directory.ts'
import { type Serving, startServing } from '../../../bench/measure/serving-process.ts'
import type { Drill } from '../drill.ts'
import { addAccounts } from '../drill-accounts.ts'
import { parseFlags } from '../flags.ts'
import type { Target, Told } from './attack.ts'
import { attacks } from './attacks.ts'
import { HonestCaller, type Latencies } from './honest-caller.ts'

const attacker = fileURLToPath(new URL('./attacker.ts', import.meta.url))
const attackMaxMs = 120_000
const defaults = { watches: 1_000_000, seconds: 10, attack: 0 }
const attackerAddress = '127.0.0.2'
const honestRequests = 4_000
const freeAccounts = 4
/** The promises. */
const slowerMax = 3
const healthMaxMs = 50
const grownMaxMb = 200
const sampleEveryMs = 100

interface Figures {
  readonly quiet: Latencies
  readonly during: Latencies
  readonly beforeMb: number
  readonly peakMb: number
  readonly afterMb: number
  readonly told: Told
}

export const abuseDrill: Drill = {
  description: 'attacks by one caller: another one hardly notices, memory stays bounded',
  flags: `--watches ${defaults.watches} --seconds ${defaults.seconds} --attack N (1 to ${attacks.length}, default all)`,
  async run(flags) {
    const { numbers } = parseFlags(flags, { ...defaults, attack: attacks.length + 1 })
    const runDir = openRunDirectory()
    const catalogue = await provideCatalogue(numbers.watches, runDir, true)
    const source = await sourceOf(numbers.watches)
    let isKept = true
    for (const [at, { name }] of attacks.entries()) {
      if (numbers.attack <= attacks.length && at !== numbers.attack - 1) continue
      const directory = path.join(runDir, `attack-${at}`)
      const figures = await withService(catalogue, directory, (serving, keys) =>
        measure(at, serving, keys, source, directory, numbers.seconds),
      )
      const broken = findBroken(figures)
      isKept &&= broken.length === 0
      tell(name, figures, broken)
    }
    return isKept
  },
}

async function withService(
  catalogue: Catalogue,
  directory: string,
  work: (serving: Serving, keys: readonly string[]) => Promise<Figures>,
): Promise<Figures> {
  mkdirSync(directory)
  copyFileSync(path.join(catalogue.directory, 'watchdata.sqlite'), path.join(directory, 'watchdata.sqlite'))
  const plans = ['platinum', ...Array.from({ length: freeAccounts }, () => 'free' as const)] as const
  const keys = await addAccounts({ DATA_DIR: directory }, plans)
  // The settings of an operator who has changed nothing; only the honest caller has a larger quota.
  const env = { PLAN_LIMITS: 'platinum=100000000', BURST_LIMIT: '', EXPLORER: '' }
  const serving = await startServing(directory, { env, core: 'any' })
  try {
    return await work(serving, keys)
  } finally {
    await serving.process.stop()
  }
}

async function measure(
  attack: number,
  serving: Serving,
  [honestKey = '', ...freeKeys]: readonly string[],
  source: Source,
  directory: string,
  seconds: number,
): Promise<Figures> {
  const honest = new HonestCaller(serving, honestKey, honestPaths(source), directory)
  // The service compiles its code first, and builds the docs.
  await honest.measure(seconds)
  await fetch(`${serving.url}/docs`)
  const quiet = await honest.measure(seconds)
  const beforeMb = mbOf(serving)
  let peakMb = beforeMb
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, mbOf(serving))
  }, sampleEveryMs)
  const target: Target = {
    url: serving.url,
    dataDir: directory,
    freeKeys,
    specKeys: Object.keys(source.watchAt(1).specs),
    address: attackerAddress,
    seconds,
  }
  const attacking = runAttack(attack, target)
  const during = await honest.measure(seconds)
  const told = await attacking
  clearInterval(sampling)
  // Memory returns with the next garbage collections, which need requests.
  await honest.measure(seconds)
  return { quiet, during, beforeMb, peakMb, afterMb: mbOf(serving), told }
}

async function runAttack(attack: number, target: Target): Promise<Told> {
  const command = [process.execPath, attacker, String(attack), JSON.stringify(target)]
  const output = await new BenchProcess(command, { core: 'load', maxMs: attackMaxMs }).end()
  return JSON.parse(/^RESULT (.*)$/m.exec(output)?.[1] ?? '')
}

/** Lists with filters, most of which nobody has asked for before, some with facets, some searches, single watches. */
function honestPaths(source: Source): string[] {
  const random = randomFrom(53)
  return Array.from({ length: honestRequests }, (_, at) => {
    const { query } = drawCombination(random, source)
    if (at % 10 === 3) return `/api/v1/watches?${query}&facets=dial_color,movement_type`
    if (at % 10 === 6) return `/api/v1/watches?${query}&sort=-current_market_price`
    if (at % 10 === 9) return `/api/v1/watches/${1 + ((at * 7_919) % source.count)}`
    return `/api/v1/watches?${query}`
  })
}

function mbOf({ process: server }: Serving): number {
  return server.rssBytes() / 1e6
}

function findBroken({ quiet, during, beforeMb, peakMb, afterMb, told }: Figures): string[] {
  const allowedMs = quiet.p99Ms * slowerMax
  return [
    ...(during.p99Ms > allowedMs ? [`p99 under ${allowedMs.toFixed(1)} ms`] : []),
    ...(during.healthMs > healthMaxMs ? [`/healthz within ${healthMaxMs} ms`] : []),
    ...(peakMb - beforeMb > grownMaxMb ? [`memory grows by less than ${grownMaxMb} MB`] : []),
    ...(afterMb - beforeMb > grownMaxMb / 2 ? ['memory returns'] : []),
    ...(told.broken === undefined ? [] : [told.broken]),
  ]
}

function tell(name: string, { quiet, during, told, ...memory }: Figures, broken: readonly string[]): void {
  const times = ({ p50Ms, p99Ms, worstMs, healthMs }: Latencies) =>
    `p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} worst ${worstMs.toFixed(0)} ms, /healthz ${healthMs.toFixed(0)} ms`
  const mb = [memory.beforeMb, memory.peakMb, memory.afterMb].map((value) => value.toFixed(0))
  const lines = [
    `${broken.length === 0 ? '✓' : '✗'} ${name}: ${told.reached}`,
    `    quiet:  ${times(quiet)}`,
    `    during: ${times(during)}`,
    `    memory: ${mb[0]} MB before, ${mb[1]} MB at most, ${mb[2]} MB after`,
    ...broken.map((promise) => `    BROKEN: ${promise}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
