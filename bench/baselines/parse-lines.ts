// The measure of a start: reads a file of NDJSON line by line and parses every line, no more.
// A program of its own: `node bench/baselines/parse-lines.ts FILE`.
import { createReadStream } from 'node:fs'

const chunkBytes = 1024 * 1024

let rest = ''
let lines = 0
for await (const chunk of createReadStream(process.argv[2] ?? '', {
  encoding: 'utf8',
  highWaterMark: chunkBytes,
})) {
  const parts = (rest + chunk).split('\n')
  rest = parts.pop() ?? ''
  for (const line of parts) JSON.parse(line)
  lines += parts.length
}
process.stdout.write(`${lines}\n`)
