// In charge of the thread that sends: opens the database for itself and sends until it is told to stop. It has a thread
// of its own because its writes wait for the disk, and on SQLite whoever writes waits in the kernel.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openLog } from '../log.ts'
import { openDatabase } from '../storage/open-database.ts'
import type { FromSender, ToSender } from './messages.ts'
import { openSender } from './open-sender.ts'

/** How often it is told what became of what was sent. */
const tellMs = 1_000

/** Connections to PostgreSQL for reading, and as many for writing: little is asked at a time. */
const poolMax = 4

const given = workerData as Config
const config: Config = { ...given, databasePoolSize: Math.min(given.databasePoolSize, poolMax) }
const log = openLog(config)
const database = await openDatabase(config, log)
let counts: FromSender = {}
const { sender, close } = await openSender({
  config,
  database,
  clock: systemClock,
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
  await database.close()
  tell()
  // Nothing holds the thread any more, and it ends.
  parentPort?.close()
}
