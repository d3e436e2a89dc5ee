// The drill "an acknowledged write survives a crash completely": kills writers at random moments, and now and then the
// whole database server, then checks that every acknowledged write is stored.
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { readState } from './catalogue-state.ts'
import type { Drill } from './drill.ts'
import { type DrillEngine, onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { checkIntegrity, type Integrity } from './integrity.ts'
import { WriterProcess } from './processes/writer-process.ts'
import { findGaps, findHalfWritten, findLost } from './verify-state.ts'
import type { Said } from './write-loop.ts'

export interface CrashPlan {
  readonly kills: number
  /** The minimum number of acknowledged writes, over all writer processes. */
  readonly writes: number
}

interface Findings {
  readonly lost: readonly string[]
  readonly halfWritten: readonly string[]
  readonly gaps: readonly string[]
  readonly integrity: Integrity
}

export interface CrashReport extends Findings {
  readonly kills: number
  readonly serverKills: number
  readonly writes: number
}

type Victim = 'writer' | 'starting writer' | 'server'

const defaults = { kills: 100, writes: 10_000 }
const loops = 4
const serverKillEvery = 10
/** A kill during startup interrupts the recovery from the previous kill, or the migrations. */
const startKillEvery = 6
const startMaxMs = 400
const verifyEvery = 5
const lifeMaxMs = 30_000
const engineMaxMs = 170_000
/** The kill is delayed by up to this much, so that kills hit every stage of a write. */
const jitterMaxMs = 10
const writerEndMaxMs = 5_000
const findingsShown = 5

export const crashDrill: Drill = {
  description: 'kill -9 during writes: an acknowledged write survives completely',
  flags: '--kills 100 --writes 10000 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async (engine) => {
      const startedMs = performance.now()
      const report = await crash(engine, numbers)
      print(engine, report, (performance.now() - startedMs) / 1_000)
      return isKept(report)
    })
  },
}

export async function crash(engine: DrillEngine, plan: CrashPlan): Promise<CrashReport> {
  const deadline = performance.now() + engineMaxMs
  let said: Said[] = []
  let writes = 0
  let serverKills = 0
  for (let kill = 1; ; kill++) {
    const victim = chooseVictim(kill, plan, engine)
    const killsLeft = plan.kills - kill
    const writesLeft = Math.max(0, plan.writes - writes)
    const wanted = killsLeft === 0 ? writesLeft : randomUpTo((2 * writesLeft) / (killsLeft + 1))
    const writer = new WriterProcess(engine.settings, `life-${kill}`, loops)
    try {
      await endLife(writer, victim, Math.round(wanted), engine)
    } finally {
      await writer.endAfter(0)
    }
    writes += writer.acknowledged
    said = said.concat(writer.said)
    if (victim === 'server') serverKills++
    if (performance.now() > deadline) throw new Error(`${kill} kills took over ${engineMaxMs} ms`)
    if (killsLeft > 0 && kill % verifyEvery !== 0) continue
    const findings = await verify(engine.settings, said)
    if (killsLeft === 0 || !isKept(findings)) return { ...findings, kills: kill, serverKills, writes }
  }
}

function chooseVictim(kill: number, plan: CrashPlan, { server }: DrillEngine): Victim {
  if (server !== undefined && kill % serverKillEvery === 0) return 'server'
  // The last writer process makes the remaining writes.
  return kill % startKillEvery === 1 && kill < plan.kills ? 'starting writer' : 'writer'
}

async function endLife(
  writer: WriterProcess,
  victim: Victim,
  wanted: number,
  { server }: DrillEngine,
): Promise<void> {
  if (victim === 'starting writer') await delay(randomUpTo(startMaxMs))
  else {
    await writer.untilAcknowledged(wanted, lifeMaxMs)
    await delay(randomUpTo(jitterMaxMs))
  }
  if (victim !== 'server') return writer.kill()
  await server?.kill()
  await writer.endAfter(writerEndMaxMs)
  await server?.restart()
}

/** Checks over a fresh connection, after a normal start. */
async function verify(settings: Environment, said: readonly Said[]): Promise<Findings> {
  const config = parseConfig({ ...settings, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    await migrate(database, systemClock)
    const state = await readState(database)
    return {
      lost: findLost(state, said),
      halfWritten: findHalfWritten(state),
      gaps: findGaps(state),
      integrity: await checkIntegrity(database),
    }
  } finally {
    await database.close()
  }
}

function isKept({ lost, halfWritten, gaps, integrity }: Findings): boolean {
  return lost.length + halfWritten.length + gaps.length === 0 && !integrity.isBroken
}

function print({ name }: DrillEngine, report: CrashReport, seconds: number): void {
  const { kills, serverKills, writes, lost, halfWritten, gaps, integrity } = report
  const lines = [
    `${name}: ${kills} kills (${serverKills} of the whole server) over ${writes} acknowledged writes`,
    `  lost ${lost.length}, half-written ${halfWritten.length}, gaps ${gaps.length}, integrity ${integrity.verdict}, ${seconds.toFixed(1)} s`,
    ...[lost, halfWritten, gaps].flatMap((findings) =>
      findings.slice(0, findingsShown).map((one) => `  ${one}`),
    ),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function randomUpTo(max: number): number {
  return Math.random() * max
}
