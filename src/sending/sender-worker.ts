// Runs in a worker thread: opens its own database connection and sends webhooks until it receives 'stop'. It has a
// thread of its own because its writes wait for the disk, and SQLite writes block the calling thread.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'
import { followDatabaseClock } from '../storage/database-clock.ts'
import { openDatabase } from '../storage/open-database.ts'
import type { Outcome } from '../webhooks/delivery/endpoint-run.ts'
import { openSender } from './open-sender.ts'

export type ToSender = 'wake' | 'stop'

/** The number of attempts per outcome since the last message. */
export type FromSender = Partial<Record<Outcome, number>>

/** How often the counts of outcomes are posted to the main thread. */
const tellMs = 1_000

/** The maximum number of PostgreSQL connections for reading, and as many for writing: it runs few queries at a time. */
const poolMax = 4

const given = workerData as Config
const config: Config = { ...given, databasePoolSize: Math.min(given.databasePoolSize, poolMax) }
const log = openLog(config)
const database = await openDatabase(config, log)
const clock = await followDatabaseClock(database, systemClock, log)
let counts: FromSender = {}
const { sender, close } = await openSender({
  config,
  database,
  clock,
  log,
  onOutcome: (outcome) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1
  },
})
const telling = setInterval(tell, tellMs)
parentPort?.on('message', (message: ToSender) => {
  if (message === 'wake') sender.wake()
  else void stop()
})
sender.start()

function tell(): void {
  if (Object.keys(counts).length > 0) parentPort?.postMessage(counts)
  counts = {}
}

async function stop(): Promise<void> {
  clearInterval(telling)
  await close()
  clock.stop()
  await database.close()
  tell()
  // Nothing keeps the thread alive any more, so it ends.
  parentPort?.close()
}
