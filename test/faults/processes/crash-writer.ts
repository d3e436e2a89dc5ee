// The writer as a separate program that can be killed: `crash-writer.ts NAME LOOPS`, with the database in the
// environment. Reports every write on stdout. Ends when stdin closes, as it does when the parent dies.
import { systemClock } from '../../../src/clock.ts'
import { parseConfig } from '../../../src/config.ts'
import { openLog } from '../../../src/log.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { keepCompiled } from '../../compile-cache.ts'
import { type Said, writeLoop } from '../write-loop.ts'

const [name = '', loops = ''] = process.argv.slice(2)
const stop = new AbortController()
process.stdin.resume().once('end', () => stop.abort())

const config = parseConfig(process.env)
const log = openLog(config, { write: (line) => void process.stderr.write(line) })
const database = await openDatabase(config, log)
await migrate(database, systemClock)
keepCompiled()
await Promise.all(
  Array.from({ length: Number(loops) }, (_, loop) =>
    writeLoop(database, `${name}-${loop}`, tell, stop.signal),
  ),
)
await database.close()
process.stdin.destroy()

/** Node writes to a pipe synchronously, so every line is complete. */
function tell(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
