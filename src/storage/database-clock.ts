// The clock that all processes on one database share: the database's own. Days of the quota and claims of webhooks go by
// it, whatever the clock of the machine says. Between two looks at the database, time passes by the monotonic clock.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { nowMs } from './database-time.ts'

export interface DatabaseClock extends Clock {
  /** By how much the clock of this machine is ahead of the database's. */
  readonly offsetMs: number
  stop(): void
}

const everyMs = 5_000
/** The first look takes the best of this many. */
const firstLooks = 3
/** A look that takes longer is too inexact, unless there was no better one for a while. */
const roundTripMaxMs = 50
const staleMs = 60_000
/** The log says so where the machine's clock is off by more. */
const offsetMaxMs = 1_000

interface Look {
  readonly databaseMs: number
  /** When that was, by the monotonic clock. */
  readonly atMs: number
  readonly roundTripMs: number
}

/** With SQLite there is one machine, and so one clock. A clock that a test moves is not followed either. */
export async function followDatabaseClock(database: Database, own: Clock, log: Log): Promise<DatabaseClock> {
  if (database.engine === 'sqlite' || own.isReal !== true) {
    return {
      now: () => own.now(),
      nowMs: () => own.nowMs(),
      offsetMs: 0,
      isReal: own.isReal,
      stop: () => {},
    }
  }
  let known = await look(database)
  for (let looks = 1; looks < firstLooks; looks++) known = better(known, await look(database))
  let isTold = false
  const sharedMs = () => Math.floor(known.databaseMs + performance.now() - known.atMs)
  const offsetMs = () => own.nowMs() - sharedMs()
  tell()
  const stopping = new AbortController()
  void lookRepeatedly(stopping.signal)

  return {
    now: () => new Date(sharedMs()),
    nowMs: sharedMs,
    isReal: true,
    get offsetMs() {
      return offsetMs()
    },
    stop: () => stopping.abort(),
  }

  async function lookRepeatedly(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      // Without the database, the monotonic clock is exact enough for as long as that lasts.
      known = better(known, await look(database).catch(() => known))
      tell()
    }
  }

  function tell(): void {
    const isOff = Math.abs(offsetMs()) > offsetMaxMs
    if (isOff && !isTold) {
      log.warn(
        { offsetMs: offsetMs() },
        "the clock of this machine differs from the database's, which is used instead: correct it, for example with NTP",
      )
    }
    isTold = isOff
  }
}

async function look({ engine, reader }: Database): Promise<Look> {
  const startedMs = performance.now()
  const { now } = await reader.selectNoFrom(nowMs(engine).as('now')).executeTakeFirstOrThrow()
  const roundTripMs = performance.now() - startedMs
  // The database told its time about half-way.
  return { databaseMs: Number(now), atMs: startedMs + roundTripMs / 2, roundTripMs }
}

function better(known: Look, next: Look): Look {
  const isExact = next.roundTripMs <= Math.max(known.roundTripMs, roundTripMaxMs)
  return isExact || next.atMs - known.atMs > staleMs ? next : known
}
