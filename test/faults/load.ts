// Sends requests over many keep-alive connections at once, and records each response with its times.
import http from 'node:http'

export interface Told {
  readonly startedMs: number
  readonly endedMs: number
  /** 0 if there was no response. */
  readonly status: number
  readonly remaining: number
  readonly retryAfter: string | undefined
}

export interface Load {
  readonly urls: readonly string[]
  readonly key: string
  /** The number of connections to each URL. */
  readonly connections: number
  /** Called before each request; false ends the load. */
  readonly goesOn: () => boolean
  readonly onTold?: (told: Told) => void
}

const answerMaxMs = 10_000
const path = '/api/v1/watches?per_page=1'

export async function applyLoad({ urls, key, connections, goesOn, onTold }: Load): Promise<Told[]> {
  const told: Told[] = []
  const agent = new http.Agent({ keepAlive: true })
  const call = async (url: string) => {
    while (goesOn()) {
      const one = await ask(url, key, agent)
      told.push(one)
      onTold?.(one)
    }
  }
  const callers = urls.flatMap((url) => Array.from({ length: connections }, () => call(url)))
  await Promise.all(callers)
  agent.destroy()
  return told
}

export function ask(url: string, key: string, agent?: http.Agent): Promise<Told> {
  const startedMs = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  return new Promise((resolve) => {
    const end = (status: number, answer: http.IncomingHttpHeaders = {}) => {
      const remaining = Number(answer['x-ratelimit-remaining'] ?? Number.NaN)
      const retryAfter = answer['retry-after']
      resolve({ startedMs, endedMs: performance.now(), status, remaining, retryAfter })
    }
    const options = { headers, timeout: answerMaxMs, ...(agent === undefined ? {} : { agent }) }
    const request = http.get(url + path, options, (response) => {
      response
        .resume()
        .once('end', () => end(response.statusCode ?? 0, response.headers))
        .once('error', () => end(0))
    })
    request.once('timeout', () => request.destroy()).once('error', () => end(0))
  })
}
