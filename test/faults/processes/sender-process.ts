// The webhook sender as a separate program that can be killed. Reads its clock's time from stdin, one line for each
// change; ends when stdin closes.
import { createInterface } from 'node:readline'
import { parseConfig } from '../../../src/config.ts'
import { openLog } from '../../../src/log.ts'
import { openSender } from '../../../src/sending/open-sender.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { keepCompiled } from '../../compile-cache.ts'

const config = parseConfig(process.env)
const log = openLog(config, { write: (line) => void process.stderr.write(line) })
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
let nowMs = await nextTime()
const clock = { now: () => new Date(nowMs ?? 0), nowMs: () => nowMs ?? 0 }
const database = await openDatabase(config, log)
const { sender, close } = await openSender({ config, database, clock, log })
sender.start()
keepCompiled()
process.stdout.write('ready\n')
for (let next = await nextTime(); next !== undefined; next = await nextTime()) {
  nowMs = next
  sender.wake()
}
await close()
await database.close()

async function nextTime(): Promise<number | undefined> {
  const { value, done } = await lines.next()
  return done ? undefined : Number(value)
}
