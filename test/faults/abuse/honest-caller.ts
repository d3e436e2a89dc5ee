// The honest caller beside an attack: it sends requests of a usual mix at a fixed rate from an address of its own, and
// asks for /healthz.

import http from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { applyOpenLoad } from '../../../bench/measure/open-load.ts'
import { writeRequests } from '../../../bench/measure/request-file.ts'
import type { Serving } from '../../../bench/measure/serving-process.ts'

export interface Latencies {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** The longest that /healthz took. */
  readonly healthMs: number
}

const address = '127.0.0.3'
const perSecond = 100
const connections = 8
const healthEveryMs = 50

export class HonestCaller {
  readonly #serving: Serving
  readonly #requestsFile: string
  #sent = 0

  /** `paths` are requested in order, again and again. */
  constructor(serving: Serving, key: string, paths: readonly string[], directory: string) {
    this.#serving = serving
    this.#requestsFile = path.join(directory, 'honest')
    const headers = { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'gzip, deflate', Accept: '*/*' }
    writeRequests(
      this.#requestsFile,
      headers,
      paths.map((one) => ({ path: one })),
    )
  }

  async measure(seconds: number): Promise<Latencies> {
    let isOver = false
    const probing = this.#probe(() => isOver)
    const result = await applyOpenLoad({
      url: this.#serving.url,
      requestsFile: this.#requestsFile,
      skipped: this.#sent,
      perSecond,
      seconds,
      status: 200,
      connections,
      localAddress: address,
      isCoreShared: true,
    })
    this.#sent += result.sent
    isOver = true
    return {
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      worstMs: result.maxMs,
      healthMs: await probing,
    }
  }

  /** Returns the longest response time. A new connection each time, as a load balancer opens them. */
  async #probe(isOver: () => boolean): Promise<number> {
    let longestMs = 0
    while (!isOver()) {
      const startedMs = performance.now()
      await this.#askHealth()
      longestMs = Math.max(longestMs, performance.now() - startedMs)
      await delay(healthEveryMs)
    }
    return longestMs
  }

  #askHealth(): Promise<void> {
    return new Promise((resolve, reject) => {
      const options = { localAddress: address, agent: false }
      const request = http.get(`${this.#serving.url}/healthz`, options, (response) => {
        response.resume().once('end', resolve).once('error', reject)
        if (response.statusCode !== 200) reject(new Error(`/healthz returned ${response.statusCode}`))
      })
      request.once('error', reject)
    })
  }
}
