// Parses the flags of `npm run bench -- workloads` into a plan: which workloads and catalogues, and how thoroughly.
import { parseArgs } from 'node:util'
import { BadFlags } from '../test/faults/flags.ts'
import type { ContestPlan, Filling } from './measure/contest.ts'
import { workloads } from './workloads/all.ts'
import type { Workload } from './workloads/workload.ts'

interface Size {
  /** As it was written: `100k`. */
  readonly label: string
  readonly count: number
}

interface Depth extends ContestPlan, Filling {
  /** Before the first workload, for the JIT compiler. That of the service runs while its caches are filled. */
  readonly bareWarmUpSeconds: number
  readonly sizes: readonly Size[]
  readonly requests: number
  readonly recorded: number
}

const size100k = { label: '100k', count: 100_000 }

/** How thoroughly to measure: for a release, in under five minutes, and only to see that every workload runs. */
const depths = {
  whole: {
    sizes: [size100k, { label: '1m', count: 1_000_000 }],
    ...{ rounds: 3, seconds: 5, warmUpSeconds: 1, firstWarmUpSeconds: 5, bareWarmUpSeconds: 10 },
    ...{ passes: 3, passesSeconds: 90 },
    ...{ requests: 20_000, recorded: 4_000 },
  },
  quick: {
    sizes: [size100k],
    ...{ rounds: 2, seconds: 2, warmUpSeconds: 0.5, firstWarmUpSeconds: 1, bareWarmUpSeconds: 6 },
    ...{ passes: 3, passesSeconds: 8 },
    ...{ requests: 5_000, recorded: 1_000 },
  },
  smoke: {
    sizes: [{ label: '300', count: 300 }],
    ...{ rounds: 1, seconds: 0.1, warmUpSeconds: 0, firstWarmUpSeconds: 0, bareWarmUpSeconds: 0 },
    ...{ passes: 0, passesSeconds: 0 },
    ...{ requests: 100, recorded: 50 },
  },
} as const satisfies Record<string, Depth>

export interface WorkloadPlan extends Depth {
  readonly workloads: readonly Workload[]
  readonly isKept: boolean
  readonly soakMinutes: number | undefined
}

const roundsMax = 100
const secondsMax = 600
const minutesMax = 1_440
const soakMinutes = 60
const watchesMax = 10_000_000

export const usage = `Usage: npm run bench -- workloads

  --size N         only this catalogue: 100k, 1m or any number of watches (100k and 1m, one after the other)
  --only NAME,…    only these workloads: ${workloads.map(({ name }) => name).join(', ')}
  --rounds N       turns of each server (3)
  --seconds N      seconds of each turn (5)
  --quick          short turns over 100k: all workloads in under five minutes
  --smoke          only see that every workload runs
  --soak           run all workloads in turn and watch the memory
  --minutes N      how long (60)
  --keep           keep the generated catalogues for the next run
`

export function parsePlan(flags: string[]): WorkloadPlan {
  const values = parseValues(flags)
  const depth = depths[values.smoke ? 'smoke' : values.quick ? 'quick' : 'whole']
  const only = values.only?.split(',')
  const unknown = only?.find((name) => workloads.every((one) => one.name !== name))
  if (unknown !== undefined) throw new BadFlags(`there is no workload ${unknown}`)
  const number = (name: 'rounds' | 'seconds' | 'minutes', max: number) => {
    const written = values[name]
    if (written === undefined) return undefined
    const value = /^\d+$/.test(written) ? Number(written) : 0
    if (value < 1 || value > max) throw new BadFlags(`--${name} must be a whole number from 1 to ${max}`)
    return value
  }
  return {
    ...depth,
    sizes: values.size === undefined ? depth.sizes : [parseSize(values.size)],
    rounds: number('rounds', roundsMax) ?? depth.rounds,
    seconds: number('seconds', secondsMax) ?? depth.seconds,
    workloads: workloads.filter(({ name }) => only?.includes(name) ?? true),
    isKept: values.keep,
    soakMinutes: values.soak ? (number('minutes', minutesMax) ?? soakMinutes) : undefined,
  }
}

/** `100k`, `1m` or a plain number. */
function parseSize(label: string): Size {
  const [, digits = '0', unit = ''] = /^(\d{1,8})([km]?)$/.exec(label) ?? []
  const count = Number(digits) * (unit === 'm' ? 1_000_000 : unit === 'k' ? 1_000 : 1)
  if (count < 1 || count > watchesMax) throw new BadFlags('--size must be 100k, 1m or a number of watches')
  return { label, count }
}

function parseValues(flags: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { size: text, only: text, rounds: text, seconds: text, minutes: text }
    const switches = { quick: flag, smoke: flag, soak: flag, keep: flag }
    return parseArgs({ args: flags, options: { ...options, ...switches } }).values
  } catch (error) {
    throw new BadFlags((error as Error).message)
  }
}
