// Tests that each job of the service runs once in its interval, in one process at a time, and that another process takes
// over from one that died.
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { type Job, JobRunner } from '../../src/storage/jobs.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { freshConfig, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const minuteMs = 60_000
const claimMaxMs = 4_000

const step = fc.record({
  ms: fc.constantFrom(0, 1, 500, 20_000, minuteMs - 1, minuteMs, 10 * minuteMs),
  runners: fc.subarray([0, 1, 2], { minLength: 1 }),
})

describeEachEngine('jobs', (engine) => {
  test('several processes never run a job twice at a time nor twice within its interval', async () => {
    const { clock, ...parts } = await open(engine)
    const databases = [parts.database, await openUnmigrated(parts.config), await openUnmigrated(parts.config)]
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const runs = new RunsOf(clock, `job ${++count}`)
        const runners = databases.map((database) => new JobRunner({ ...parts, clock, database }, [runs.job]))
        for (const { ms, runners: some } of steps) {
          move(clock, ms)
          await Promise.all(some.map((at) => runners[at]?.look()))
          await Promise.all(runners.map((runner) => runner.settle()))
        }
        expect(runs.mostAtOnce).toBe(1)
        for (const [at, startedMs] of runs.startsMs.slice(1).entries()) {
          expect(startedMs - (runs.startsMs[at] as number)).toBeGreaterThanOrEqual(minuteMs)
        }
      }),
      { numRuns: engine.name === 'sqlite' ? 30 : 15, seed: 20260301 },
    )
  })

  test('a job runs at its first look and then whenever its interval has passed, wherever', async () => {
    const parts = await open(engine)
    const runs = new RunsOf(parts.clock)
    const [one, other] = [new JobRunner(parts, [runs.job]), new JobRunner(parts, [runs.job])]
    for (const [runner, ms] of [
      [one, 0],
      [other, minuteMs - 1],
      [other, 1],
      [one, minuteMs],
    ] as const) {
      move(parts.clock, ms)
      await runner.look()
      await runner.settle()
    }
    const startMs = runs.startsMs[0] as number
    expect(runs.startsMs.map((ms) => ms - startMs)).toEqual([0, minuteMs, 2 * minuteMs])
  })

  test('another process takes over within seconds from one that died, and the dead one records nothing', async () => {
    const parts = await open(engine)
    const gate = Promise.withResolvers<void>()
    const [one, other] = [holdingRunner(parts, gate.promise), new RunsOf(parts.clock)]
    const second = new JobRunner(parts, [other.job])
    await one.runner.look()
    move(parts.clock, claimMaxMs - 1_000)
    await second.look()
    expect(other.startsMs, 'the claim is valid').toHaveLength(0)
    move(parts.clock, 1_000)
    await second.look()
    await second.settle()
    expect(other.startsMs).toHaveLength(1)
    await one.runner.look()
    expect(one.signal()?.aborted, 'a run that has lost its job is aborted').toBe(true)
    gate.resolve()
    await one.runner.settle()
    move(parts.clock, minuteMs - 1)
    await second.look()
    await second.settle()
    expect(other.startsMs, 'the interval holds').toHaveLength(1)
  })

  test('a process that lives keeps its job for as long as it runs, and ends it when its claim cannot be renewed', async () => {
    const parts = await open(engine)
    const gate = Promise.withResolvers<void>()
    const [one, other] = [holdingRunner(parts, gate.promise), new RunsOf(parts.clock)]
    const second = new JobRunner(parts, [other.job])
    await one.runner.look()
    for (let passedMs = 0; passedMs < 2 * minuteMs; passedMs += 10_000) {
      move(parts.clock, 10_000)
      // Renews the claim, although it has expired: nobody else took it.
      await one.runner.look()
      await second.look()
    }
    expect(one.signal()?.aborted).toBe(false)
    // From now on it looks no more, like a process without a database.
    await vi.waitFor(() => expect(one.signal()?.aborted).toBe(true), { timeout: 10_000 })
    expect(other.startsMs).toHaveLength(0)
    gate.resolve()
    await one.runner.settle()
    await second.look()
    await second.settle()
    expect(other.startsMs, 'what was aborted is repeated at once').toHaveLength(1)
  })

  test('a job that fails is repeated after a minute, and a process that stops leaves its job to others', async () => {
    const parts = await open(engine)
    const failing = new RunsOf(parts.clock, 'failing', 60 * minuteMs, async () => {
      throw new Error('it failed')
    })
    const runner = new JobRunner(parts, [failing.job])
    for (const ms of [0, minuteMs - 1, 1]) {
      move(parts.clock, ms)
      await runner.look()
      await runner.settle()
    }
    expect(failing.startsMs).toHaveLength(2)
    const untilAborted = (signal: AbortSignal) => delay(minuteMs, undefined, { signal }).catch(() => {})
    const long = new RunsOf(parts.clock, 'long', minuteMs, untilAborted)
    const stopped = new JobRunner(parts, [long.job])
    await stopped.look()
    await stopped.stop()
    const next = new RunsOf(parts.clock, 'long')
    const other = new JobRunner(parts, [next.job])
    await other.look()
    await other.settle()
    expect(next.startsMs).toHaveLength(1)
  })
})

/** A job of one minute that notes when it ran, and how many of its runs there were at a time. */
class RunsOf {
  readonly job: Job
  readonly startsMs: number[] = []
  mostAtOnce = 0
  #running = 0

  constructor(
    clock: Clock,
    name = 'job',
    everyMs = minuteMs,
    work: (signal: AbortSignal) => Promise<void> = () => setImmediate(),
  ) {
    const run = async (signal: AbortSignal) => {
      this.startsMs.push(clock.nowMs())
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#running)
      await work(signal).finally(() => this.#running--)
    }
    this.job = { name, everyMs, run }
  }
}

type Parts = Awaited<ReturnType<typeof open>>

async function open(engine: Engine) {
  const config = await freshConfig(engine, 'migrated')
  const database: Database = await openUnmigrated(config)
  return { config, database, clock: manualClock(), log: openLog(config) }
}

/** A runner of `job` whose run ends with the promise, whatever its signal says. */
function holdingRunner(parts: Parts, until: Promise<void>) {
  let given: AbortSignal | undefined
  const run = (signal: AbortSignal) => {
    given = signal
    return until
  }
  const runner = new JobRunner(parts, [{ name: 'job', everyMs: minuteMs, run }])
  onTestFinished(() => runner.stop())
  return { runner, signal: () => given }
}

function move(clock: Parts['clock'], ms: number): void {
  clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
}
