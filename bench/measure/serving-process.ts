// Starts the measured service as a process on a generated catalogue, sends the preparing requests over HTTP, and reads
// its metrics.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { BenchProcess as Process } from './processes.ts'
import { BenchProcess } from './processes.ts'
import type { RequestLine } from './request-file.ts'

export interface Serving {
  readonly process: Process
  readonly url: string
  readonly readyMs: number
  readonly watches: number
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
  /** As it was sent: not decompressed. */
  readonly body: Buffer
}

const root = path.resolve(import.meta.dirname, '../..')
const main = path.join(root, 'src/cli/main.js')
/** The Node flags of `npm start`. */
const startFlags: string[] = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .filter((word: string) => word.startsWith('--'))
const metricsToken = 'bench-metrics-token'
/** Longer than the longest soak. */
const lifeMaxMs = 25 * 3_600_000
const answerMaxMs = 60_000
/** Enough to keep one core busy. */
const askedAtOnce = 16
const agent = new http.Agent({ keepAlive: true, maxSockets: askedAtOnce })

export interface ServingOptions {
  readonly core?: 'server' | 'any'
  readonly nodeFlags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export async function startServing(
  dataDir: string,
  { core = 'server', nodeFlags = [], env = {} }: ServingOptions = {},
): Promise<Serving> {
  const startedMs = performance.now()
  const process_ = new BenchProcess(
    [process.execPath, ...startFlags, ...nodeFlags, main, 'serve', '--json'],
    {
      core,
      maxMs: lifeMaxMs,
      env: {
        // Clears settings that the environment may hold for another service.
        DATABASE_URL: '',
        REDIS_URL: '',
        BASE_URL: '',
        HOST: '',
        DATA_DIR: dataDir,
        PORT: '0',
        DRAIN_MS: '0',
        LOG_LEVEL: 'warn',
        SAMPLE_CATALOGUE: 'false',
        METRICS_TOKEN: metricsToken,
        // A quota that no run can exhaust: requests are counted but never refused.
        PLAN_LIMITS: 'platinum=100000000000',
        BURST_LIMIT: '0',
        // The mix has deep pages, which visitors without an account cannot open otherwise.
        EXPLORER: 'open',
        ...env,
      },
    },
  )
  try {
    const { api, watches } = JSON.parse(await process_.line(/"api"/))
    const readyMs = performance.now() - startedMs
    return { process: process_, url: new URL(api).origin, readyMs, watches }
  } catch (error) {
    await process_.stop()
    throw error
  }
}

/**
 * Sends every request with the headers, 16 at a time, until `maxMs` have passed; calls `onAnswer` with each response
 * and the index of its request.
 */
export async function askAll(
  url: string,
  headers: Readonly<Record<string, string>>,
  requests: readonly RequestLine[],
  onAnswer: (answer: Answer, index: number) => void,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const endMs = performance.now() + maxMs
  const queue = requests.entries()
  const ask = async () => {
    for (const [index, { path, etag }] of queue) {
      if (performance.now() > endMs) return
      const condition = etag === undefined ? {} : { 'If-None-Match': etag }
      const answer = await get(`${url}${path}`, { ...headers, ...condition })
      const expected = etag === undefined ? 200 : 304
      if (answer.status !== expected) throw new Error(`${path} returned ${answer.status}: ${answer.body}`)
      onAnswer(answer, index)
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
}

/** `localAddress` is the address from which to ask, where another one has all connections that it may have. */
export async function readMetric(url: string, name: string, localAddress?: string): Promise<number> {
  const { body } = await get(`${url}/metrics`, { authorization: `Bearer ${metricsToken}` }, localAddress)
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(body.toString())?.[1]
  if (value === undefined) throw new Error(`there is no metric ${name}`)
  return Number(value)
}

function get(url: string, headers: Readonly<Record<string, string>>, localAddress?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const from = localAddress === undefined ? {} : { localAddress }
    const options = { agent, headers, timeout: answerMaxMs, ...from }
    const request = http.get(url, options, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .once('error', reject)
        .once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks),
          }),
        )
    })
    request.once('timeout', () => request.destroy(new Error(`${url} took over ${answerMaxMs} ms`)))
    request.once('error', reject)
  })
}
