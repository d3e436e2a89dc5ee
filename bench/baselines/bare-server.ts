// The baseline of the throughput benchmarks: a node:http server that sends recorded responses in turn and does nothing
// else. Usage: `node bench/baselines/bare-server.ts DIRECTORY…`; prints its address when it is ready. It begins with the
// first recording; at SIGUSR2 it goes on to the next and prints its number.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readRecording } from './recording.ts'

const recordings = process.argv.slice(2)
let recording = 0
let answers = readRecording(recordings[recording] ?? '')
let next = 0

// The timeout of the service, which sends it in a header. Node's default would cut the connections of a slow open loop.
const keepAliveTimeout = 65_000
const server = createServer({ keepAliveTimeout }, (_request, response) => {
  const answer = answers[next]
  next = next + 1 === answers.length ? 0 : next + 1
  if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body)
})
process.on('SIGUSR2', () => {
  recording++
  answers = readRecording(recordings[recording] ?? '')
  next = 0
  process.stdout.write(`recording ${recording}\n`)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
