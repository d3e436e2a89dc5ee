// `npm run bench -- list`: parses the flags and runs the parts of the list benchmark (mix, distinct, ready, import) on
// each catalogue size, with their targets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BadFlags } from '../test/faults/flags.ts'
import { generateBrands } from './catalogues/generated-brands.ts'
import { watchGenerator } from './catalogues/generated-watch.ts'
import { provideCatalogue } from './catalogues/kept-catalogues.ts'
import { benchImport } from './import.ts'
import { moveToLoadCore } from './measure/processes.ts'
import { type Figure, printReport, type Rate, tellStep } from './measure/report.ts'
import { benchReady } from './ready.ts'
import { benchThroughput } from './throughput.ts'

const parts = ['mix', 'distinct', 'ready', 'import'] as const
type Part = (typeof parts)[number]

const sizes = {
  '100k': { count: 100_000, targets: { mix: 0.7 }, default: ['mix', 'import'] },
  '1m': {
    count: 1_000_000,
    targets: { mix: 0.5, distinct: 0.25, memory: 1.6 },
    ready: 4,
    default: ['mix', 'distinct', 'ready'],
  },
} as const
type Size = keyof typeof sizes

const rowsMax = 10_000_000
const roundsMax = 100
const secondsMax = 600

const usage = `  --size 100k|1m   only this catalogue
  --only PART,…    only these parts: ${parts.join(', ')}
  --rounds N       rounds of each comparison (3)
  --seconds N      seconds of each run (5)
  --rows N         rows of the import (1000000)
  --keep           keep the generated catalogues for the next run`

interface Plan {
  readonly sizes: readonly Size[]
  readonly only: ReadonlySet<Part> | undefined
  readonly rounds: number
  readonly seconds: number
  readonly rows: number
  readonly keep: boolean
}

interface Told {
  readonly figures: Figure[]
  readonly rates: Rate[]
}

export async function benchList(flags: string[]): Promise<void> {
  try {
    await bench(parsePlan(flags))
  } catch (error) {
    if (!(error instanceof BadFlags)) throw error
    process.stderr.write(`${error.message}\n\nUsage: npm run bench -- list\n\n${usage}\n`)
    process.exitCode = 2
  }
}

async function bench(plan: Plan): Promise<void> {
  if (process.platform !== 'linux') throw new Error('this benchmark pins processes to cores: it needs Linux')
  moveToLoadCore()
  const runDir = mkdtempSync(path.join(tmpdir(), 'watchdata-bench-'))
  process.on('exit', () => rmSync(runDir, { recursive: true, force: true }))
  const told: Told = { figures: [], rates: [] }
  try {
    for (const size of plan.sizes) await benchSize(size, plan, runDir, told)
  } finally {
    // Prints the figures measured so far even when a later part fails.
    if (!printReport(told.figures, told.rates)) process.exitCode = 1
    rmSync(runDir, { recursive: true, force: true })
  }
}

async function benchSize(size: Size, plan: Plan, runDir: string, { figures, rates }: Told): Promise<void> {
  const { count, targets } = sizes[size]
  const wanted = (part: Part) =>
    plan.only === undefined ? (sizes[size].default as readonly Part[]).includes(part) : plan.only.has(part)
  const catalogue = await provideCatalogue(count, runDir, plan.keep)
  const source = { watchAt: watchGenerator(await generateBrands()), count }
  const chosen = new Set((['mix', 'distinct'] as const).filter(wanted))
  tellStep(`${size}: ${(catalogue.ndjsonBytes / count).toFixed(0)} bytes a watch`)
  if (chosen.size > 0) {
    const shared = { label: size, catalogue, source, runDir, targets, parts: chosen }
    const outcome = await benchThroughput({ ...shared, rounds: plan.rounds, seconds: plan.seconds })
    figures.push(...outcome.figures)
    rates.push(...outcome.rates)
  }
  if (wanted('ready')) figures.push(...(await benchReady(size, catalogue, plan.rounds, sizes['1m'].ready)))
  if (wanted('import')) figures.push(...(await benchImport({ catalogue, source, runDir, rows: plan.rows })))
}

function parsePlan(flags: string[]): Plan {
  const values = parseValues(flags)
  const only = values.only?.split(',') as Part[] | undefined
  const unknown = only?.find((part) => !parts.includes(part))
  if (unknown !== undefined) throw new BadFlags(`--only accepts ${parts.join(', ')}`)
  if (values.size !== undefined && !(values.size in sizes))
    throw new BadFlags(`--size must be one of ${Object.keys(sizes).join(', ')}`)
  return {
    sizes: values.size === undefined ? (Object.keys(sizes) as Size[]) : [values.size as Size],
    only: only === undefined ? undefined : new Set(only),
    rounds: parseCount('rounds', values.rounds, roundsMax),
    seconds: parseCount('seconds', values.seconds, secondsMax),
    rows: parseCount('rows', values.rows, rowsMax),
    keep: values.keep,
  }
}

function parseValues(flags: string[]) {
  try {
    return parseArgs({
      args: flags,
      options: {
        size: { type: 'string' },
        only: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '5' },
        rows: { type: 'string', default: '1000000' },
        keep: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new BadFlags((error as Error).message)
  }
}

function parseCount(name: string, written: string, max: number): number {
  const count = /^\d+$/.test(written) ? Number(written) : 0
  if (count < 1 || count > max) throw new BadFlags(`--${name} must be a whole number from 1 to ${max}`)
  return count
}
