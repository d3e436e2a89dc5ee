// The drill "no change is missed": readers follow the change log from its start while writers overlap, and each must
// see every sequence once, in order. One of the readers gets no notifications.
import { getHead } from '../../src/changes/log.ts'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Database, Engine } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { readState } from './catalogue-state.ts'
import type { Drill } from './drill.ts'
import { onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { LogReader, type ReaderPlan } from './log-reader.ts'
import { type Overlap, type OverlapPlan, overlap } from './overlap.ts'
import { findGaps, findHalfWritten, findLost, longestDelayMs } from './verify-state.ts'

export interface WritersReport extends Overlap {
  readonly engine: Engine
  /** The number of acknowledged writes. */
  readonly written: number
  readonly readers: readonly LogReader[]
  /** For each reader, the longest time from acknowledging a write to reading its change. */
  readonly longestDelaysMs: readonly number[]
  /** Faults in the log and the catalogue at the end. */
  readonly findings: readonly string[]
}

const defaults = { seconds: 60, open: 10 }
const drainMaxMs = 30_000
const findingsShown = 5
const readerPlans: readonly ReaderPlan[] = [
  { batchMax: 1, pollMs: 1_000, isWoken: true },
  { batchMax: 1_000, pollMs: 1_000, isWoken: true },
  { batchMax: 10, pollMs: 250, isWoken: false },
]

export const writersDrill: Drill = {
  description: '8 concurrent writers, one slow transaction among them: no reader misses a change',
  flags: '--seconds 60 --open 10 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async ({ settings }) => {
      const plan = { runMs: numbers.seconds * 1_000, openMs: numbers.open * 1_000 }
      const report = await readWhileWriting(settings, plan)
      print(report)
      return isKept(report)
    })
  },
}

export async function readWhileWriting(settings: Environment, plan: OverlapPlan): Promise<WritersReport> {
  const opened: Database[] = []
  const readers: LogReader[] = []
  try {
    const main = await open()
    // SQLite notifies only users of the same opened database, and several in one process would only wait for each
    // other. On PostgreSQL each has its own connections.
    const openAnother = async () => (main.engine === 'sqlite' ? main : open())
    await migrate(main, systemClock)
    const start = await getHead(main.reader)
    for (const reader of readerPlans) readers.push(new LogReader(await openAnother(), start, reader))
    const written = await overlap(settings, plan, openAnother)
    const end = await getHead(main.reader)
    await Promise.all(readers.map((reader) => reader.finishAt(end.sequence, drainMaxMs)))
    return { ...written, engine: main.engine, readers, ...(await verify(main, written, readers)) }
  } finally {
    await Promise.all(readers.map((reader) => reader.stop()))
    await Promise.all(opened.map((database) => database.close()))
  }

  async function open(): Promise<Database> {
    const config = parseConfig({ ...settings, LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '2' })
    const database = await openDatabase(config, openLog(config))
    opened.push(database)
    return database
  }
}

async function verify(
  database: Database,
  { said, meanwhile }: Overlap,
  readers: readonly LogReader[],
): Promise<Pick<WritersReport, 'written' | 'longestDelaysMs' | 'findings'>> {
  const state = await readState(database)
  const written = said.filter(({ did }) => did === 'done').length
  const findings = [...findLost(state, said), ...findHalfWritten(state), ...findGaps(state)]
  // No process was killed, so the log holds exactly the acknowledged writes.
  if (written !== state.sequence) findings.push(`${written} were acknowledged, ${state.sequence} are logged`)
  // SQLite allows one writer at a time.
  if (meanwhile === 0 && database.engine !== 'sqlite')
    findings.push('the slow transaction blocked the other writers')
  const longestDelaysMs = readers.map(({ seenAtMs }) => longestDelayMs(state, said, seenAtMs))
  return { written, longestDelaysMs, findings }
}

function isKept({ readers, written, findings }: WritersReport): boolean {
  return (
    findings.length === 0 &&
    readers.every(({ seen, gaps, repeats }) => seen === written && gaps + repeats === 0)
  )
}

function print(report: WritersReport): void {
  const { engine, written, seconds, meanwhile, readers, longestDelaysMs, findings } = report
  const lines = [
    `${engine}: ${written} changes by 8 writers in ${seconds.toFixed(1)} s, ${Math.round(written / seconds)} per second`,
    `  ${meanwhile} of them while the slow transaction was open`,
    ...readers.map((reader, index) => describe(reader, longestDelaysMs[index])),
    ...findings.slice(0, findingsShown).map((finding) => `  ${finding}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function describe({ plan, seen, gaps, repeats, failures }: LogReader, delayMs = 0): string {
  const kind = `batches of ${plan.batchMax}, ${plan.isWoken ? 'woken' : `polls every ${plan.pollMs} ms`}`
  const failed = failures.length === 0 ? '' : `, failed reads ${failures.length} (${failures[0]})`
  return `  reader (${kind}): seen ${seen}, gaps ${gaps}, repeats ${repeats}, longest delay ${delayMs} ms${failed}`
}
