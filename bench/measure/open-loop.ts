// The open-loop load generator, run as its own process on the load core: sends requests at a fixed rate, whether or not
// earlier ones have been answered. Latency is counted from the moment a request was due, so that a stalled server also
// delays, and shows in, the requests that had to wait for it. Usage: see open-load.ts.
import net from 'node:net'
import { readRequests } from './request-file.ts'
import { ResponseReader } from './response-reader.ts'

/** Read from the command line, as JSON. */
export interface OpenLoop {
  readonly url: string
  readonly requestsFile: string
  readonly skipped: number
  readonly perSecond: number
  readonly seconds: number
  /** Before the measured seconds. */
  readonly warmUpSeconds: number
  readonly connections: number
  /** The address from which the connections come. */
  readonly localAddress?: string
  readonly status: number
  /**
   * Whether other programs need the core too. The generator then sleeps until a request is due, and latency is counted from
   * the moment when it noticed that.
   */
  readonly isCoreShared?: boolean
}

/** Printed as JSON. */
export interface OpenLoopResult {
  /** All requests, and those whose latency was measured. */
  readonly sent: number
  readonly measured: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** How late the generator itself noticed that a request was due. Not part of the server's latency, but counted in it. */
  readonly lagP99Ms: number
}

const plan: OpenLoop = JSON.parse(process.argv[2] ?? '')
const requests = readRequests(plan.requestsFile)
/** Sent first and not counted: V8 still compiles the generator. */
const ignored = Math.ceil(plan.perSecond * plan.warmUpSeconds)
const total = ignored + Math.ceil(plan.perSecond * plan.seconds)
// Evenly spaced. Random arrivals would cluster, and p99 would measure the clusters rather than the service.
const everyMs = 1_000 / plan.perSecond
const latenciesMs = new Float64Array(total)
const lagsMs = new Float64Array(total)
const free: Connection[] = []
let startedMs = 0
let next = plan.skipped
/** Requests whose time has come, have been sent, and have been answered. */
let [due, sent, answered] = [0, 0, 0]

class Connection {
  readonly #socket: net.Socket
  readonly #reader = new ResponseReader(plan.status)
  #onAnswer = () => {}

  constructor(buffer: Buffer) {
    const { hostname, port } = new URL(plan.url)
    const callback = (bytes: number) => {
      if (this.#reader.read(buffer, bytes)) this.#onAnswer()
      return true
    }
    const { localAddress } = plan
    const to = { host: hostname, port: Number(port), ...(localAddress && { localAddress }) }
    this.#socket = net.connect({ ...to, onread: { buffer, callback } })
    this.#socket.setNoDelay(true).on('close', () => {
      if (answered < total) throw new Error('the server closed a connection')
    })
  }

  send(onAnswer: () => void): void {
    this.#onAnswer = onAnswer
    this.#socket.write(requests[next++ % requests.length] as Buffer)
  }

  end(): void {
    this.#socket.destroy()
  }
}

// One buffer for all connections: each chunk is read and handled before the next.
const buffer = Buffer.allocUnsafe(256 * 1024)
const connections = Array.from({ length: plan.connections }, () => new Connection(buffer))
// Every connection is known to the server before the first request is due.
await Promise.all(connections.map((connection) => new Promise<void>((resolve) => connection.send(resolve))))
free.push(...connections)
startedMs = performance.now()
setImmediate(tick)

/** Runs on every turn of the event loop, without sleeping: a timer would be up to 1 ms late. */
function tick(): void {
  const nowMs = performance.now()
  for (; due < total && dueMs(due) <= nowMs; due++) lagsMs[due] = nowMs - dueMs(due)
  sendDue()
  if (answered === total) finish()
  else if (plan.isCoreShared === true) setTimeout(tick, 1)
  else setImmediate(tick)
}

function sendDue(): void {
  while (sent < due) {
    const connection = free.shift()
    if (connection === undefined) return
    const request = sent++
    connection.send(() => {
      const lagMs = plan.isCoreShared === true ? (lagsMs[request] ?? 0) : 0
      latenciesMs[request] = performance.now() - dueMs(request) - lagMs
      answered++
      free.push(connection)
      if (sent < due) sendDue()
    })
  }
}

function dueMs(request: number): number {
  return startedMs + request * everyMs
}

function finish(): void {
  const seconds = (performance.now() - startedMs) / 1_000
  for (const connection of connections) connection.end()
  const latencies = latenciesMs.subarray(ignored).sort()
  const result: OpenLoopResult = {
    sent: plan.connections + total,
    measured: latencies.length,
    perSecond: total / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
    lagP99Ms: quantile(lagsMs.subarray(ignored).sort(), 0.99),
  }
  process.stdout.write(`RESULT ${JSON.stringify(result)}\n`)
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
