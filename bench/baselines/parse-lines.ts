// The baseline of a start: reads an NDJSON file, parses every line and prints the number of lines.
// Usage: `node bench/baselines/parse-lines.ts FILE`.
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
