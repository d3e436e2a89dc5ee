// The writer as a program of its own, so that it can be killed: `crash-writer.ts NAME LOOPS`, with the
// database in the environment. Tells every write on standard output; ends when its input does, as it does
// when the parent dies.
import { systemClock } from '../../../src/clock.ts'
import { parseConfig } from '../../../src/config.ts'
import { openLog } from '../../../src/log.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { type Said, writeLoop } from '../write-loop.ts'

const [name = '', loops = ''] = process.argv.slice(2)
const stop = new AbortController()
process.stdin.resume().once('end', () => stop.abort())

const config = parseConfig(process.env)
const log = openLog(config, { write: (line) => void process.stderr.write(line) })
const database = await openDatabase(config, log)
await migrate(database, systemClock)
await Promise.all(
  Array.from({ length: Number(loops) }, (_, loop) =>
    writeLoop(database, `${name}-${loop}`, tell, stop.signal),
  ),
)
await database.close()
process.stdin.destroy()

/** Written at once and whole: to a pipe, Node writes synchronously. */
function tell(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}
